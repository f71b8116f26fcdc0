import { isBelieved, unbelieved } from '../../domain/distrust.ts'
import { LimitError, MunimentError } from '../../domain/errors.ts'
import type { RecordKind, Ref } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Policy } from '../../domain/policy.ts'
import { type MemoryState, REVIEW_KINDS } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import { confidenceAt, countsForLess, strengthAt, strengthTier } from '../../fold/effective.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { Narrowed, StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import { viewsOf } from '../history/histories.ts'
import type { Moment } from '../world.ts'
import { limitOf } from '../write/arguments.ts'
import { type Memory, viewOf } from './memory-view.ts'

type Counts = Readonly<Record<string, number>>

/** The state of a stack at a glance. */
export interface Overview {
  readonly counts: Counts
  readonly total: number
  /** The last entry; null in an empty ledger. */
  readonly head: { readonly seq: number; readonly hash: string; readonly time: Instant } | null
  /** Memories born in the last entries, counted by kind, origin and state. */
  readonly lately: {
    readonly entries: number
    readonly memories: number
    readonly kinds: Counts
    readonly labels: Counts
    readonly tiers: Counts
    readonly strengths: Counts
    readonly dispositions: Counts
  }
  /** Items that wait for a person, by reason; `hasMore` when the queue is longer than the count. */
  readonly review: { readonly kinds: Counts; readonly total: number; readonly hasMore: boolean }
}

const LATELY_ENTRIES = 1_000 // entries counted as recent
const WAITING_MAX = 500 // counted of the queue

export async function overview(engine: Engine): Promise<Overview> {
  const { tip } = await engine.read({ type: 'standing' })
  const { seq, hash } = tip.head
  const counts = await engine.read({ type: 'counts' })
  const { policy, now } = await engine.moment()
  const after = Math.max(-1, seq - LATELY_ENTRIES)
  const states = await engine.read({
    type: 'memories',
    as: 'state',
    order: 'oldest',
    after,
    limit: LATELY_ENTRIES,
  })
  const limit = WAITING_MAX + 1
  const waiting = await engine.read({ type: 'memories', where: { review: REVIEW_KINDS }, limit })
  const counted = waiting.slice(0, WAITING_MAX)
  const [last] = seq < 0 ? [] : await engine.read({ type: 'entries', from: seq, limit: 1 })
  return {
    counts,
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    head: last ? { seq, hash, time: readEntry(last.bytes).time } : null,
    lately: {
      entries: seq - after,
      memories: states.length,
      kinds: tallied(states.map(({ kind }) => kind)),
      labels: tallied(states.map(({ label }) => label)),
      tiers: tallied(states.map(({ tier }) => String(tier))),
      strengths: tallied(
        states.map((state) => strengthTier(strengthAt(state, policy, now), policy)),
      ),
      dispositions: tallied(states.map(({ disposition }) => disposition)),
    },
    review: {
      kinds: tallied(counted.map(({ state }) => state.review ?? 'flagged')),
      total: counted.length,
      hasMore: waiting.length > WAITING_MAX,
    },
  }
}

function tallied(names: readonly string[]): Counts {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a))
}

/** Memories by kind and their total; failures and unfinished work only where any exist. */
export async function statsOf({
  read,
  registry,
}: Pick<Engine, 'read' | 'registry'>): Promise<Readonly<Record<string, number>>> {
  const counts = await read({ type: 'counts' })
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const errors = Object.values(registry.errors()).flat()
  const failed = errors.reduce((sum, { count }) => sum + count, 0)
  const { length: scrubs } = await read({ type: 'table', name: 'scrubs' })
  return {
    ...counts,
    total,
    ...(failed > 0 && { componentErrors: failed }),
    ...(scrubs > 0 && { scrubsPending: scrubs }),
  }
}

/** Memories whose tier today is lower than their recorded tier. */
export interface CountedLess {
  readonly count: number
  readonly refs: readonly Ref[]
}

const PAGE = 1_000
const REFS_MAX = 5

export async function countedLess({ read }: Pick<Engine, 'read'>): Promise<CountedLess> {
  let count = 0
  let refs: readonly Ref[] = []
  let after = -1
  for (;;) {
    const page: readonly MemoryState[] = await read({
      type: 'memories',
      as: 'state',
      order: 'oldest',
      after,
      limit: PAGE,
    })
    const less = page.filter(countsForLess).map(({ ref }) => ref)
    count += less.length
    refs = [...refs, ...less].slice(-REFS_MAX)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return { count, refs: refs.toReversed() }
    after = last.seq
  }
}

export interface UncertainOptions {
  readonly threshold?: number
  /** Uses today's confidence; false uses the last recorded confidence. */
  readonly applyDecay?: boolean
  readonly limit?: number
}

/** A memory of low confidence, and how many rest on it. */
export interface Uncertain {
  readonly memory: Memory
  readonly confidence: number
  /** Number of memories that rest on this memory, directly or indirectly. */
  readonly restingOnIt: number
}

const THRESHOLD = 0.5
const LIMIT = 50
/** Records about memories cannot be uncertain memories. */
const LEFT_OUT: ReadonlySet<RecordKind> = new Set(['suggestion', 'assessment', 'report', 'epoch'])

/** Memories of low confidence; first the memories with the most dependents. */
export async function uncertain(
  engine: Engine,
  { threshold = THRESHOLD, applyDecay = true, limit }: UncertainOptions = {},
): Promise<readonly Uncertain[]> {
  if (!(threshold >= 0 && threshold <= 1)) {
    throw new MunimentError('invalid_input', 'threshold is a number from 0 to 1.')
  }
  const count = limitOf(limit, LIMIT)
  const moment = await engine.moment()
  const all: MemoryState[] = []
  for (let after = -1; ; ) {
    const page = await engine.read({
      type: 'memories',
      as: 'state',
      order: 'oldest',
      after,
      limit: PAGE,
    })
    all.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) break
    after = last.seq
  }
  const load = loadsOf(all)
  const found = all
    .map((state) => ({
      state,
      confidence: applyDecay ? confidenceToday(state, moment) : state.confidence.value,
    }))
    .filter(({ state, confidence }) => confidence < threshold && isHeld(state, moment))
    .sort(
      (a, b) =>
        (load.get(b.state.ref) ?? 0) - (load.get(a.state.ref) ?? 0) ||
        a.confidence - b.confidence ||
        a.state.seq - b.state.seq,
    )
  const shown: Uncertain[] = []
  for (const { state, confidence } of found.slice(0, count)) {
    shown.push(await uncertainOf(engine, { state, confidence, moment }))
  }
  return shown
}

/**
 * An estimate of each memory's dependents: every path counts, so a single walk over all memories
 * suffices. The estimate only sorts; the shown memories get exact counts.
 */
function loadsOf(all: readonly MemoryState[]): ReadonlyMap<Ref, number> {
  const loads = new Map<Ref, number>()
  // Parents are older: going from the youngest, a memory's own load is complete before its parents
  // need it.
  for (const { ref, parents } of all.toReversed()) {
    const passed = Math.min((loads.get(ref) ?? 0) + 1, Number.MAX_SAFE_INTEGER / 1_024)
    for (const parent of parents) loads.set(parent, (loads.get(parent) ?? 0) + passed)
  }
  return loads
}

async function uncertainOf(
  engine: Engine,
  found: { readonly state: MemoryState; readonly confidence: number; readonly moment: Moment },
): Promise<Uncertain> {
  const { ref } = found.state
  const visitMax = LIMITS.lineageVisitMax
  const resting = await engine.read({
    type: 'lineage',
    ref,
    direction: 'down',
    visitMax,
    as: 'count',
  })
  const stored = await engine.read({ type: 'memory', ref })
  const [memory] = stored ? await viewsOf(engine, [stored], found.moment) : []
  if (!memory) throw new MunimentError('data_loss', `${ref} was there and is gone.`)
  if (resting === null) throw new LimitError('lineageVisitMax', visitMax, visitMax + 1)
  return { memory, confidence: found.confidence, restingOnIt: resting }
}

const confidenceToday = (state: MemoryState, { policy, now }: Moment): number =>
  confidenceAt(state, policy, now)

const isHeld = ({ kind, disposition, strength }: MemoryState, { policy }: Moment): boolean =>
  !LEFT_OUT.has(kind) && strength.value > 0 && isBelieved(disposition, policy)

/** Forgotten and disbelieved beliefs need no sources. */
const held = (policy: Policy): Narrowed => ({
  strengthMin: Number.MIN_VALUE,
  except: unbelieved(policy),
})

/** The beliefs without any remaining source. */
export async function ungroundedAmong(
  { read, moment }: Pick<Engine, 'read' | 'moment'>,
  memories: readonly Pick<MemoryState, 'kind' | 'ref'>[],
): Promise<readonly Ref[]> {
  const among = memories.flatMap(({ kind, ref }) => (kind === 'belief' ? [ref] : []))
  if (among.length === 0) return []
  const { policy } = await moment()
  const where = held(policy)
  const found = await read({
    type: 'memories',
    where: { ...where, ungrounded: true, refs: among },
    limit: among.length,
  })
  return found.map(({ state }) => state.ref)
}

const BELIEFS_PAGE = 200

/** Beliefs without any remaining source, newest first, reviewed or not. */
export async function ungrounded(engine: Engine): Promise<readonly Memory<'belief'>[]> {
  const moment = await engine.moment()
  const where = held(moment.policy)
  const found: Memory<'belief'>[] = []
  for (let before: number | null = null; ; ) {
    const page: readonly StoredMemory[] = await engine.read({
      type: 'memories',
      where: { ...where, ungrounded: true },
      after: before,
      limit: BELIEFS_PAGE,
    })
    for (const stored of page) found.push(viewOf<'belief'>(stored, moment))
    const last = page.at(-1)
    if (last === undefined || page.length < BELIEFS_PAGE) return found
    before = last.state.seq
  }
}
