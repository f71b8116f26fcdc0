import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Loaded } from '../../src/engine/read/load.ts'
import type { Stack } from '../../src/stack.ts'
import { Entity, label, openStack } from '../built.ts'
import type { Record } from '../report.ts'
import { isTiny } from '../size.ts'
import {
  AGENT_DAY,
  type DayMemory,
  type DayQuestion,
  type Days,
  dayMemories,
  dayQuestions,
  HOUSEHOLD,
  turnsOf,
} from './agent-day-set.ts'
import { bm25 } from './rivals.ts'

// Six weeks of a developer agent (250 memories, 126 questions) and five of an assistant in a
// household (103 and 60), written for this bench. The people are invented. Topics of the first are
// split in a dev and a held-out half; only dev may tune anything.

const LOAD_TOKENS = 2_000
const FIRST = 10 // results that a question looks at

/** Questions of agents' days, and starts of sessions. */
export async function benchAgentDays(record: Record): Promise<void> {
  for (const days of [AGENT_DAY, HOUSEHOLD]) await benchDays(record, days)
}

async function benchDays(record: Record, days: Days): Promise<void> {
  const all = dayMemories(days)
  const memories = isTiny ? all.slice(0, 12) : all
  const questions = dayQuestions(days).slice(0, isTiny ? 3 : undefined)
  const { name } = days
  await withDays(memories, days.starts, async ({ stack, idOf, noted, starts }) => {
    const words = bm25({ id: name, set: name, turns: turnsOf(memories), questions: [] })
    const found: Found[] = []
    for (const question of questions) {
      const { results, answerable } = await stack.recall(question.text, { limit: FIRST })
      const order = results.map(({ metadata }) => idOf.get(String(metadata.ref)) ?? '')
      const marked = new Set(
        results.flatMap(({ metadata: { ref, replacedBy, standing } }) =>
          replacedBy !== undefined || standing === 'replaced' ? (idOf.get(String(ref)) ?? []) : [],
        ),
      )
      const { isLikely, match } = answerable
      found.push({ question, order, marked, isLikely, match })
    }
    const plain = questions.map((question) => ({
      ...{ question, order: words(question.text).slice(0, FIRST), isLikely: true, match: '' },
      marked: new Set<string>(),
    }))
    for (const half of new Set(questions.map((each) => each.half))) {
      const of = (some: readonly Found[]) => some.filter(({ question }) => question.half === half)
      tellQuestions(record, `${name} ${half}, search`, of(found))
      tellQuestions(record, `${name} ${half}, bm25 alone`, of(plain))
    }
    for (const word of ['strong', 'good', 'weak', 'nothing']) {
      const some = found.filter(({ match }) => match === word)
      const isRight = (each: Found) => rankOf(each.question.answers, each) < 3
      const value = share(some.filter(isRight), some)
      record({
        name: `${name}, ${word}: an answer among first 3`,
        value,
        unit: `of ${some.length}`,
      })
    }
    if (process.argv.includes('--missed')) tellMissed(found)
    tellNoted(record, { name, memories, noted })
    tellStarts(record, { name, memories, starts })
  })
}

interface Found {
  readonly question: DayQuestion
  readonly order: readonly string[]
  readonly marked: ReadonlySet<string>
  readonly isLikely: boolean
  readonly match: string
}

const share = (some: readonly unknown[], all: readonly unknown[]): number =>
  some.length / Math.max(1, all.length)

const rankOf = (ids: readonly string[], { order }: Found): number => {
  const at = order.findIndex((id) => ids.includes(id))
  return at < 0 ? Number.POSITIVE_INFINITY : at
}

function tellQuestions(record: Record, name: string, found: readonly Found[]): void {
  const of = (kind: string) => found.filter(({ question }) => question.kind === kind)
  const isFirst = (each: Found) => rankOf(each.question.answers, each) === 0
  const isAmong = (each: Found) => rankOf(each.question.answers, each) < 3
  const tell = (figure: string, some: readonly Found[], all: readonly Found[]) =>
    record({ name: `${name}, ${figure}`, value: share(some, all), unit: `of ${all.length}` })
  const [update, past, none, both] = [of('update'), of('past'), of('none'), of('contradiction')]
  const isUnmarkedBefore = (each: Found) =>
    each.question.outdated.some(
      (id) => !each.marked.has(id) && rankOf([id], each) < rankOf(each.question.answers, each),
    )
  tell('update: current fact first', update.filter(isFirst), update)
  tell('update: replaced fact before it, unmarked', update.filter(isUnmarkedBefore), update)
  tell('past: earlier fact first', past.filter(isFirst), past)
  for (const kind of ['preference', 'runlog', 'category'])
    tell(`${kind}: among first 3`, of(kind).filter(isAmong), of(kind))
  tell(
    'contradiction: both among first 5',
    both.filter((each) => each.question.answers.every((id) => rankOf([id], each) < 5)),
    both,
  )
  tell(
    'nothing known, yet likely',
    none.filter(({ isLikely }) => isLikely),
    none,
  )
  const known = found.filter(({ question }) => question.kind !== 'none')
  tell(
    'known, yet unlikely',
    known.filter(({ isLikely }) => !isLikely),
    known,
  )
}

function tellMissed(found: readonly Found[]): void {
  for (const { question, order, marked } of found) {
    if (question.half !== 'dev' || order[0] === question.answers[0]) continue
    const shown = order.map((id) => (marked.has(id) ? `${id}*` : id)).join(' ')
    console.log(`  ${question.id} ${question.text} wants ${question.answers} got ${shown}`)
  }
}

function tellNoted(record: Record, { name, memories, noted }: Written): void {
  const isNote = ({ kind }: DayMemory) => kind !== 'claim' && kind !== 'goal'
  const replacing = memories.filter((each) => each.replaces.length > 0 && isNote(each))
  const routine = memories.filter(({ kind }) => kind === 'run')
  const others = memories.filter(
    (each) => each.replaces.length === 0 && isNote(each) && each.kind !== 'run',
  )
  const named = ({ id, replaces }: DayMemory) => noted.get(id)?.some((of) => replaces.includes(of))
  const any = ({ id }: DayMemory) => (noted.get(id) ?? []).length > 0
  const tell = (figure: string, some: readonly DayMemory[], all: readonly DayMemory[]) =>
    record({ name: `${name}, ${figure}`, value: share(some, all), unit: `of ${all.length}` })
  tell('replaced fact noted at the write', replacing.filter(named), replacing)
  tell('routine note with a false one', routine.filter(any), routine)
  tell('other note with a false one', others.filter(any), others)
}

/** A store with the memories that went into it. */
interface Written extends Pick<Lived, 'noted'> {
  readonly name: string
  readonly memories: readonly DayMemory[]
}

interface Start {
  readonly day: string
  readonly ids: readonly string[]
}

/** Wishes, goals and decisions that stand at the start of a session, and are to be in its memory. */
function tellStarts(
  record: Record,
  { name, memories, starts }: Omit<Written, 'noted'> & Pick<Lived, 'starts'>,
): void {
  const counts = {
    wishes: [0, 0],
    goals: [0, 0],
    decisions: [0, 0],
    replaced: [0, 0],
    runs: [0, 0],
  }
  const count = (figure: keyof typeof counts, some: number, all: number) => {
    counts[figure] = [(counts[figure][0] ?? 0) + some, (counts[figure][1] ?? 0) + all]
  }
  for (const { day, ids } of starts) {
    const before = memories.filter((each) => each.day < day)
    const replaced = new Set(before.flatMap(({ replaces }) => replaces))
    const standing = before.filter(({ id, done }) => !replaced.has(id) && !done)
    const tell = (figure: keyof typeof counts, some: readonly DayMemory[]) =>
      count(figure, some.filter(({ id }) => ids.includes(id)).length, some.length)
    tell(
      'wishes',
      standing.filter(({ wish }) => wish),
    )
    tell(
      'goals',
      standing.filter(({ kind }) => kind === 'goal'),
    )
    tell(
      'decisions',
      standing.filter(({ kind }) => kind === 'decision'),
    )
    count('replaced', ids.filter((id) => replaced.has(id)).length, ids.length)
    count(
      'runs',
      ids.filter((id) => memories.find((m) => m.id === id)?.kind === 'run').length,
      ids.length,
    )
  }
  for (const [figure, [some = 0, all = 0]] of Object.entries(counts)) {
    const told =
      figure === 'replaced' || figure === 'runs' ? `${figure} among items` : `${figure} included`
    const value = all === 0 ? 0 : some / all
    const start = `${name}, session starts, ${LOAD_TOKENS} tokens`
    record({ name: `${start}, ${told}`, value, unit: `of ${all}` })
  }
}

interface Lived {
  readonly stack: Stack
  readonly idOf: ReadonlyMap<string, string>
  /** Memories that a note contradicts or replaces, as its write says. */
  readonly noted: ReadonlyMap<string, readonly string[]>
  readonly starts: readonly Start[]
}

const NINE = 9 * 3_600_000

/** Lives the days in one stack, with the clock of those days. */
async function withDays(
  memories: readonly DayMemory[],
  startDays: readonly string[],
  work: (lived: Lived) => Promise<void>,
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'muniment-agent-day-'))
  let now = Date.parse(memories[0]?.day ?? '') + NINE
  const stack = await openStack('agent-day', { home, clock: { now: () => now } })
  try {
    const me = new Entity('agent')
    await me.attachStack(stack)
    const idOf = new Map<string, string>()
    const noted = new Map<string, readonly string[]>()
    const starts: Start[] = []
    let day = ''
    const start = async (at: string) => {
      const loaded = await stack.load({ tokenBudget: LOAD_TOKENS })
      starts.push({ day: at, ids: idsIn(loaded, idOf) })
    }
    for (const memory of memories) {
      if (memory.day !== day) {
        day = memory.day
        now = Date.parse(day) + NINE
        if (startDays.includes(day)) await start(day)
      }
      now += 60_000
      const ref = await write({ me, stack }, memory)
      idOf.set(ref, memory.id)
      const others = await stack.claims.noteContradictions(ref)
      noted.set(
        memory.id,
        others.flatMap((other) => idOf.get(other.memory.ref) ?? []),
      )
    }
    now += 86_400_000
    await start(startDays.at(-1) ?? day)
    await work({ stack, idOf, noted, starts })
  } finally {
    await stack.close()
    rmSync(home, { recursive: true, force: true })
  }
}

const idsIn = (
  { _meta, ...sections }: Loaded,
  idOf: ReadonlyMap<string, string>,
): readonly string[] =>
  Object.values(sections)
    .flat()
    .flatMap((item) => (item.memory && idOf.get(item.memory.ref)) ?? []) // components add members without a memory

async function write(
  { me, stack }: { readonly me: InstanceType<typeof Entity>; readonly stack: Stack },
  { kind, by, day, text, claim, done }: DayMemory,
): Promise<string> {
  const session = `session ${day}`
  const said = by === 'person' ? { session, label: label.userAsserted() } : { session }
  if (kind === 'prompt') return (await me.raw(text, said)).ref
  if (kind === 'belief')
    return (await me.belief(text, { ...said, because: 'Seen in the logs of the day' })).ref
  if (kind === 'goal')
    return (
      await me.goal(text, {
        ...said,
        because: 'We agreed on this today',
        ...(done && { status: 'completed' as const }),
      })
    ).ref
  if (kind !== 'claim')
    return (await me.note(text, { ...said, ...(kind === 'decision' && { noteType: kind }) })).ref
  if (!claim) throw new Error(`${text} has no claim.`)
  if (by === 'agent') return (await me.claim(claim, said)).ref
  const { claimRef } = await stack.claims.remember(claim.subject, claim.predicate, claim.value)
  return String(claimRef)
}
