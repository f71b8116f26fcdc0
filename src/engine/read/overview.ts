import { REVIEW_KINDS } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import { strengthAt, strengthTier } from '../../fold/effective.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { Engine } from '../engine.ts'

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
