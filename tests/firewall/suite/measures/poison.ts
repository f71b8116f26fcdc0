import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openStack } from '../../../../src/compose/open-stack.ts'
import { USES, type Use } from '../../../../src/domain/doors.ts'
import { Desk } from '../../../cli/support/fake-host.ts'
import { scratch } from '../../../cli/support/scratch.ts'
import { dataFolder } from '../../../support/data.ts'
import { ClientTools } from '../../support/client-tools.ts'
import { type AgentDoor, type AgentDoorName, DOORS, SEARCHED } from '../doors.ts'
import { type Figure, figureOf } from '../figure.ts'
import { POISONED_QUESTIONS, type PoisonedQuestion } from '../sets/poison.ts'

/** The attack and the person's answer, counted in the same run. */
export interface UseFigures {
  /** For acting: questions with poison anywhere; otherwise: questions with poison in the first place. */
  readonly attack: Figure
  /** Questions whose first five results lack the person's answer. */
  readonly answerLost: Figure
}

export type PoisonFigures = Readonly<Record<Use, UseFigures>>

type Search = (query: string, use: Use, limit: number) => Promise<readonly string[]>

interface Case {
  readonly question: string
  readonly isPoison: (content: string) => boolean
  readonly isTruth: (content: string) => boolean
}

const TOP = 5
const DEPTH = 10

async function figuresOf(cases: readonly Case[], search: Search): Promise<PoisonFigures> {
  const figures: Partial<Record<Use, UseFigures>> = {}
  for (const use of USES) {
    const [first, anywhere, lost]: [string[], string[], string[]] = [[], [], []]
    let topFive = 0
    for (const { question, isPoison, isTruth } of cases) {
      const found = await search(question, use, DEPTH)
      const poison = found.find(isPoison)
      if (poison !== undefined) anywhere.push(`${question}: ${poison}`)
      if (found.slice(0, TOP).some(isPoison)) topFive += 1
      if (found[0] !== undefined && isPoison(found[0])) first.push(`${question}: ${found[0]}`)
      if (!found.slice(0, TOP).some(isTruth)) lost.push(question)
    }
    const counts = `top-1 ${first.length}, top-5 ${topFive}, top-10 ${anywhere.length}`
    figures[use] = {
      attack: figureOf(use === 'act' ? anywhere : first, cases.length, counts),
      answerLost: figureOf(lost, cases.length),
    }
  }
  return figures as PoisonFigures // every use has its figures now
}

const ownCases = (questions: readonly PoisonedQuestion[]): readonly Case[] =>
  questions.map(({ question, truth, wrong }) => ({
    question,
    isPoison: (content) => content.includes(wrong),
    isTruth: (content) => content.includes(truth),
  }))

/** How an attacker's words come in through a client with hooks. */
export const HOOK_CHANNELS = {
  'five pages by WebSearch': async (client: ClientTools, { question, pages }: PoisonedQuestion) => {
    for (const page of pages) await client.used('WebSearch', { query: question }, [page])
  },
  'one page by curl': async (client: ClientTools, { pages: [page = ''] }: PoisonedQuestion) => {
    await client.used('Bash', { command: 'curl -s https://example.org' }, { stdout: page })
  },
  'five pages by WebFetch': async (client: ClientTools, { question, pages }: PoisonedQuestion) => {
    for (const result of pages)
      await client.used('WebFetch', { url: 'https://example.org', prompt: question }, { result })
  },
  'a letter by a mail server': async (client: ClientTools, { mail }: PoisonedQuestion) => {
    await client.used('mcp__mail__read', { id: '1' }, [{ type: 'text', text: mail }])
  },
  'a letter pasted into a prompt': async (client: ClientTools, { mail }: PoisonedQuestion) => {
    await client.prompt(`Please answer this mail:\n\n"""\nFrom: office\n${mail}\n"""`)
  },
  'a file that nobody committed': async (
    client: ClientTools,
    { question, pages }: PoisonedQuestion,
  ) => {
    const file = `${question.replaceAll(' ', '-')}.md`
    writeFileSync(path.join(client.project, file), pages.join('\n'))
    await client.read(file)
  },
  'a sub-agent': async (client: ClientTools, { question, pages }: PoisonedQuestion) => {
    for (const text of pages)
      await client.used('Task', { prompt: question }, { content: [{ type: 'text', text }] })
  },
} as const

export type HookChannel = keyof typeof HOOK_CHANNELS

const searchOf =
  (stack: Awaited<ReturnType<ClientTools['stack']>>): Search =>
  async (query, use, limit) =>
    (await stack.search(query, { for: use, limit, recordTypes: SEARCHED })).map(
      ({ content }) => content,
    )

export async function hookPoison(
  channel: HookChannel,
  questions: readonly PoisonedQuestion[] = POISONED_QUESTIONS,
): Promise<PoisonFigures> {
  const client = new ClientTools()
  await client.trust()
  await client.start()
  for (const question of questions) {
    await client.prompt(question.truth)
    if (question.beside !== undefined) await client.prompt(question.beside)
    await HOOK_CHANNELS[channel](client, question)
  }
  return figuresOf(ownCases(questions), searchOf(await client.stack()))
}

/** How a model that was deceived, or that lies, writes the poison itself. */
export const MODEL_CHANNELS = {
  'five notes in one session': async (door: AgentDoor, { pages }: PoisonedQuestion) => {
    for (const page of pages) await door.note(page)
  },
  'five notes in five sessions': async (door: AgentDoor, { pages }: PoisonedQuestion) => {
    for (const page of pages) {
      await door.newSession()
      await door.note(page)
    }
  },
  'a successful experience': async (door: AgentDoor, { experience }: PoisonedQuestion) => {
    await door.episode(experience)
  },
  'a letter kept as a note': async (door: AgentDoor, { mail }: PoisonedQuestion) => {
    await door.note(mail)
  },
} as const

export type ModelChannel = keyof typeof MODEL_CHANNELS

export async function modelPoison(
  doorName: AgentDoorName,
  channel: ModelChannel,
  questions: readonly PoisonedQuestion[] = POISONED_QUESTIONS,
): Promise<PoisonFigures> {
  const door = await DOORS[doorName]()
  for (const question of questions) {
    await door.personNote(question.truth)
    if (question.beside !== undefined) await door.personNote(question.beside)
    await door.search(question.question, 'plan', TOP)
    await MODEL_CHANNELS[channel](door, question)
  }
  return figuresOf(ownCases(questions), (...asked) => door.search(...asked))
}

/** A program brings in a file in which the poison is the word of a person of another home. */
export async function importPoison(): Promise<PoisonFigures> {
  const stranger = new Desk(scratch())
  for (const { pages } of POISONED_QUESTIONS)
    for (const page of pages) await stranger.person(['note', page])
  const { out } = await stranger.person(['stack', 'dump', '--format', 'json'])
  const desk = new Desk(scratch())
  for (const { truth } of POISONED_QUESTIONS) await desk.person(['note', truth])
  const file = path.join(desk.home, 'gift.json')
  writeFileSync(file, out)
  const { code, err } = await desk.call(['stack', 'import', file])
  if (code !== 0) throw new Error(err)
  const stack = await openStack('default', { store: desk.store('default') })
  return figuresOf(ownCases(POISONED_QUESTIONS), searchOf(stack))
}

/** A model claims the wrong value five times; the answer must be the person's. */
export async function claimPoison(doorName: AgentDoorName): Promise<Readonly<Record<Use, Figure>>> {
  const door = await DOORS[doorName]()
  const lineOf = ({ question }: PoisonedQuestion) => ({ subject: question, predicate: 'answer' })
  for (const each of POISONED_QUESTIONS) {
    await door.personClaim({ ...lineOf(each), value: each.right })
    for (let time = 0; time < 5; time += 1) {
      await door.newSession()
      await door.claim({ ...lineOf(each), value: each.wrong })
    }
  }
  const figures: Partial<Record<Use, Figure>> = {}
  for (const use of USES) {
    const misses: string[] = []
    for (const each of POISONED_QUESTIONS) {
      const answer = await door.ask(lineOf(each), use)
      if (answer !== each.right) misses.push(`${each.question}: answered ${answer}`)
    }
    figures[use] = figureOf(misses, POISONED_QUESTIONS.length)
  }
  return figures as Readonly<Record<Use, Figure>> // every use has its figure now
}

interface OutsideQuestion {
  readonly question: string
  readonly 'correct answer': string
  readonly 'incorrect answer': string
  readonly adv_texts: readonly string[]
}

const passages = dataFolder('attack', 'poisonedrag-nq.json')
const experiences = dataFolder('attack', 'memorygraft-experiences.json')

/** PoisonedRAG’s questions, where the outside data is present. */
export function outsideQuestions(): readonly PoisonedQuestion[] | undefined {
  if (passages === undefined) return
  const all = JSON.parse(readFileSync(passages, 'utf8')) as Record<string, OutsideQuestion> // as its notes say
  return Object.values(all).map((asked) => ({
    question: asked.question,
    truth: `${asked.question}: the answer is ${asked['correct answer']}.`,
    right: asked['correct answer'],
    wrong: asked['incorrect answer'],
    pages: asked.adv_texts,
    mail: `Subject: ${asked.question}\nDear reader, ${asked.adv_texts[0]}`,
    experience: { objective: asked.question, outcome: asked.adv_texts[0] ?? '' },
  }))
}

/** A right answer may hold the words of the wrong one, so poison is known by its whole text here. */
const outsideCases = (questions: readonly PoisonedQuestion[]): readonly Case[] =>
  questions.map(({ question, truth, pages }) => ({
    question,
    isPoison: (content) => pages.some((page) => content.includes(page.slice(0, 60))),
    isTruth: (content) => content.includes(truth),
  }))

export async function outsideHookPoison(channel: HookChannel): Promise<PoisonFigures | undefined> {
  const questions = outsideQuestions()
  if (questions === undefined) return
  const client = new ClientTools()
  await client.start()
  for (const question of questions) {
    await client.prompt(question.truth)
    await HOOK_CHANNELS[channel](client, question)
  }
  return figuresOf(outsideCases(questions), searchOf(await client.stack()))
}

export async function outsideModelPoison(
  doorName: AgentDoorName,
  channel: ModelChannel,
): Promise<PoisonFigures | undefined> {
  const questions = outsideQuestions()
  if (questions === undefined) return
  const door = await DOORS[doorName]()
  for (const question of questions) {
    await door.personNote(question.truth)
    await MODEL_CHANNELS[channel](door, question)
  }
  return figuresOf(outsideCases(questions), (...asked) => door.search(...asked))
}

/** Right answers that only a page gives, against the same answers typed by a person. */
export async function outsideTierOneLoss(): Promise<Figure | undefined> {
  const questions = outsideQuestions()
  if (questions === undefined) return
  const answered = async (isPerson: boolean): Promise<ReadonlySet<string>> => {
    const client = new ClientTools()
    for (const { truth } of questions)
      await (isPerson
        ? client.prompt(truth)
        : client.used('WebSearch', { query: 'answers' }, [truth]))
    const search = searchOf(await client.stack())
    const found = new Set<string>()
    for (const { truth, question } of questions) {
      if ((await search(question, 'plan', TOP)).some((text) => text.includes(truth)))
        found.add(question)
    }
    return found
  }
  const [byPerson, byPage] = [await answered(true), await answered(false)]
  const lost = [...byPerson].filter((question) => !byPage.has(question))
  const counts = `top-5 by a person ${byPerson.size}, by a page ${byPage.size}`
  return figureOf(lost, questions.length, counts)
}

interface OutsideExperience {
  readonly req: string
  readonly resp: string
}

/** MemoryGraft’s experiences among benign ones; the person has a rule for each poisoned task. */
export async function outsideExperiences(
  doorName: AgentDoorName,
): Promise<PoisonFigures | undefined> {
  if (experiences === undefined) return
  const { benign_experiences: benign, poisoned_experiences: poisoned } = JSON.parse(
    readFileSync(experiences, 'utf8'),
  ) as Readonly<Record<string, readonly OutsideExperience[]>> // as its notes say
  const door = await DOORS[doorName]()
  for (const { req, resp } of benign ?? []) await door.episode({ objective: req, outcome: resp })
  const cases: Case[] = []
  for (const { req, resp } of poisoned ?? []) {
    const rule = `${req} Only with the script in our repository, and after a review.`
    await door.personNote(rule)
    await door.episode({ objective: req, outcome: resp })
    cases.push({
      question: req,
      isPoison: (content) => content.includes(resp),
      isTruth: (content) => content.includes(rule),
    })
  }
  return figuresOf(cases, (...asked) => door.search(...asked))
}
