import type { Tier } from '../../domain/doors.ts'
import type { LabelName } from '../../domain/labels.ts'

/** What ranking knows of a memory; its body is read only when it is shown. */
export interface Candidate {
  readonly seq: number
  /** Its search terms in their order. */
  readonly terms: readonly string[]
  /** Who said it, by name; null when it is nobody who has one. */
  readonly speaker: string | null
  readonly label: LabelName
  readonly tier: Tier
  /** When it happened, or else when it was written down. */
  readonly atMs: number
  readonly session: string | null
  /** Today's strength. */
  readonly strength: number
  /** How near its meaning is to the question's; null where nothing was compared. */
  readonly cosine: number | null
}

const FIRST_HAND_TIER_MIN = 2

/** A person said it or vouches for it; the label only tells by which way the words came. */
export const isFirstHand = ({ tier }: Pick<Candidate, 'tier'>): boolean =>
  tier >= FIRST_HAND_TIER_MIN

/** What a store found for a question. */
export interface Found {
  /** Memories that search knows. */
  readonly documents: number
  /** How many of them hold a term. */
  readonly holding: ReadonlyMap<string, number>
  readonly candidates: readonly Candidate[]
  /** Stretches of a session, each without a gap, by `seq`. */
  readonly runs: readonly (readonly number[])[]
}

export interface Beside {
  readonly before: ReadonlyMap<number, number>
  readonly after: ReadonlyMap<number, number>
}

/** What stands right before and right after each memory in its session. */
export function besideOf(runs: Found['runs']): Beside {
  const before = new Map<number, number>()
  const after = new Map<number, number>()
  for (const run of runs) {
    for (let at = 1; at < run.length; at += 1) {
      before.set(run[at] ?? 0, run[at - 1] ?? 0)
      after.set(run[at - 1] ?? 0, run[at] ?? 0)
    }
  }
  return { before, after }
}
