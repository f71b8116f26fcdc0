import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Entity } from '../../../../src/agent/entity.ts'
import { openStack } from '../../../../src/compose/open-stack.ts'
import { MemoryStore } from '../../../../src/stores/memory/store.ts'
import { ClientTools } from '../../support/client-tools.ts'
import { type AgentDoorName, DOORS } from '../doors.ts'
import { type Figure, figureOf, sampleOf } from '../figure.ts'
import { FACTS, type Fact } from '../sets/facts.ts'
import { FIRST_CLAIMS } from '../sets/first-claims.ts'
import { POISONED_QUESTIONS } from '../sets/poison.ts'
import { PROJECT_NOTES } from '../sets/project-notes.ts'
import { SECOND_HONEST } from '../sets/second-honest.ts'
import { UPDATES } from '../sets/updates.ts'

const ROWS_MAX = 1_000
const NOTES = { limit: ROWS_MAX, includeSetAside: true }

/** A later note that differs from an earlier one must be a row of its own and be found by its words. */
export async function updatesLost(
  doorName: AgentDoorName,
  author: 'model' | 'model after a person' | 'person',
  count: number,
): Promise<Figure> {
  const door = await DOORS[doorName]()
  const pairs = sampleOf(UPDATES, count)
  for (const { earlier, later } of pairs) {
    await (author === 'model' ? door.note(earlier) : door.personNote(earlier))
    await door.search(earlier, 'plan', 5)
    await (author === 'person' ? door.personNote(later) : door.note(later))
  }
  const stack = await door.stack()
  const rows = new Set((await stack.list('note', NOTES)).map((row) => row.text))
  const misses: string[] = []
  let rowsKept = 0
  for (const { kind, later } of pairs) {
    const isRow = rows.has(later)
    if (isRow) rowsKept += 1
    const isFound = (await door.search(later, 'plan', 10)).includes(later)
    if (!isRow || !isFound) misses.push(`${kind}: ${later}${isRow ? ' (row, not found)' : ''}`)
  }
  return figureOf(misses, pairs.length, `rows ${rowsKept}`)
}

/** The same where a person types both into a client with hooks. */
export async function promptUpdatesLost(count: number): Promise<Figure> {
  const client = new ClientTools()
  const pairs = sampleOf(UPDATES, count)
  for (const { earlier, later } of pairs) {
    await client.prompt(earlier)
    await client.prompt(later)
  }
  const typed = (await client.captures()).filter(({ tier }) => tier === 3)
  const misses = pairs.filter(({ later }) => !typed.some(({ text }) => text === later))
  return figureOf(
    misses.map(({ kind, later }) => `${kind}: ${later}`),
    pairs.length,
  )
}

/** First claims about people who are alike, each asked for right after it is made. */
export async function firstClaimsSilenced(doorName: AgentDoorName, count: number): Promise<Figure> {
  const door = await DOORS[doorName]()
  const claims = sampleOf(FIRST_CLAIMS, count)
  const misses: string[] = []
  for (const claim of claims) {
    await door.claim(claim)
    const { subject, predicate, value } = claim
    const answer = await door.ask({ subject, predicate }, 'plan')
    if (answer !== value) misses.push(`${subject} ${predicate} ${value}: answered ${answer}`)
  }
  return figureOf(misses, claims.length)
}

/** Two hundred notes about one project in one session: none set aside, none hidden. */
export async function projectNotes(
  doorName: AgentDoorName,
  count: number,
): Promise<{ readonly quarantined: Figure; readonly hidden: Figure }> {
  const door = await DOORS[doorName]()
  const notes = sampleOf(PROJECT_NOTES, count)
  for (const note of notes) {
    await door.search(note, 'plan', 3)
    await door.note(note)
  }
  const stack = await door.stack()
  const rows = await stack.list('note', NOTES)
  const setAside = rows.filter(({ disposition }) => disposition === 'Quarantined')
  const kept = new Set(rows.map((row) => row.text))
  const notRows = notes.filter((note) => !kept.has(note))
  const loaded = await door.load('plan')
  const hidden: string[] = []
  for (const note of notes) {
    const isFound = (await door.search(note, 'plan', 10)).includes(note)
    if (!isFound) hidden.push(note)
  }
  const shown = notes.filter((note) => loaded.includes(note)).length
  return {
    quarantined: figureOf([...setAside.map((row) => row.text), ...notRows], notes.length),
    hidden: figureOf(hidden, notes.length, `in working memory ${shown}`),
  }
}

const withheldOf = (facts: readonly Fact[], found: readonly (readonly string[])[]): Figure =>
  figureOf(
    facts
      .filter((fact, at) => !found[at]?.some((text) => text.includes(fact.said)))
      .map((fact) => fact.said),
    facts.length,
  )

/** Honest facts that a search for acting does not give, by the channel that brought them. */
export const FACT_CHANNELS = {
  'a prompt that the person typed': async () => {
    const client = new ClientTools()
    for (const { said } of FACTS) await client.prompt(said)
    return actSearches(await client.stack())
  },
  'the person at the command line': async () => {
    const door = await DOORS.cli()
    for (const { said } of FACTS) await door.personNote(said)
    const found: (readonly string[])[] = []
    for (const { question } of FACTS) found.push(await door.search(question, 'act'))
    return withheldOf(FACTS, found)
  },
  'the host of the library': async () => {
    const stack = await openStack('host', { store: new MemoryStore() })
    const host = new Entity('host')
    await host.attachStack(stack)
    for (const { said } of FACTS) await host.raw(said)
    return actSearches(stack)
  },
  'a committed file that the person trusts': async () => {
    const client = new ClientTools()
    mkdirSync(path.join(client.project, 'facts'))
    for (const [at, { said }] of FACTS.entries())
      writeFileSync(path.join(client.project, `facts/${at}.md`), `${said}\n`)
    const identity = ['-c', 'user.name=someone', '-c', 'user.email=someone@example.org']
    for (const args of [
      ['add', '.'],
      ['commit', '-qm', 'facts'],
    ])
      execFileSync('git', [...identity, ...args], { cwd: client.project })
    await client.trust()
    await client.start()
    for (const at of FACTS.keys()) await client.read(`facts/${at}.md`)
    return actSearches(await client.stack())
  },
} as const satisfies Readonly<Record<string, () => Promise<Figure>>>

type OpenStack = Awaited<ReturnType<typeof openStack>>

async function actSearches(stack: OpenStack): Promise<Figure> {
  const found: (readonly string[])[] = []
  for (const { question } of FACTS) {
    const results = await stack.search(question, { for: 'act', limit: 10, recordTypes: ['raw'] })
    found.push(results.map(({ content }) => content))
  }
  return withheldOf(FACTS, found)
}

/** Questions that only tier 1 answers must be answered in plan as well as if a person had said it. */
export async function tierOneLoss(): Promise<Figure> {
  const answered = async (isPerson: boolean): Promise<ReadonlySet<string>> => {
    const client = new ClientTools()
    for (const { truth } of POISONED_QUESTIONS) await client.prompt(truth)
    for (const { said, question } of FACTS)
      await (isPerson ? client.prompt(said) : client.used('WebSearch', { query: question }, [said]))
    const stack = await client.stack()
    const found = new Set<string>()
    for (const { said, question } of FACTS) {
      const asked = { for: 'plan', limit: 5, recordTypes: ['raw'] } as const
      const results = await stack.search(question, asked)
      if (results.some(({ content }) => content.includes(said))) found.add(said)
    }
    return found
  }
  const [byPerson, byPage] = [await answered(true), await answered(false)]
  const lost = [...byPerson].filter((said) => !byPage.has(said))
  return figureOf(
    lost,
    FACTS.length,
    `top-5 by a person ${byPerson.size}, by a page ${byPage.size}`,
  )
}

/** The same where the person wrote notes about the same things that do not answer. */
export async function besideNotesLoss(doorName: AgentDoorName): Promise<Figure> {
  const answered = async (author: 'note' | 'personNote') => {
    const door = await DOORS[doorName]()
    for (const { answer, notes } of SECOND_HONEST) {
      for (const note of notes) await door.personNote(note)
      await door[author](answer)
    }
    const [found, first] = [new Set<string>(), new Set<string>()]
    for (const { question, answer } of SECOND_HONEST) {
      const results = await door.search(question, 'plan', 5)
      if (results.includes(answer)) found.add(answer)
      if (results[0] === answer) first.add(answer)
    }
    return { found, first }
  }
  const [byPerson, byModel] = [await answered('personNote'), await answered('note')]
  return figureOf(
    [...byPerson.found].filter((answer) => !byModel.found.has(answer)),
    SECOND_HONEST.length,
    `top-5 by a person ${byPerson.found.size}, by a model ${byModel.found.size}; top-1 ${byPerson.first.size} and ${byModel.first.size}`,
  )
}
