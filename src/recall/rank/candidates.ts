import type { Tier } from '../../domain/doors.ts'
import type { LabelName } from '../../domain/labels.ts'

/** The fields of a memory that ranking uses; the body is read only for shown results. */
export interface Candidate {
  readonly seq: number
  /** Search terms in the order of the text. */
  readonly terms: readonly string[]
  /** Name of the speaker; null for a speaker without a name. */
  readonly speaker: string | null
  readonly label: LabelName
  readonly tier: Tier
  /** Time of the event, or else time of writing. */
  readonly atMs: number
  readonly session: string | null
  /** Today's strength. */
  readonly strength: number
  /** Cosine of the memory and the question; null where vectors were not compared. */
  readonly cosine: number | null
}

const FIRST_HAND_TIER_MIN = 2

/** A person said or vouches for the words; the label only names the channel. */
export const isFirstHand = ({ tier }: Pick<Candidate, 'tier'>): boolean =>
  tier >= FIRST_HAND_TIER_MIN

/** Results of a store for a question. */
export interface CandidateSet {
  readonly documents: number
  /** Number of memories that hold each term. */
  readonly holding: ReadonlyMap<string, number>
  readonly candidates: readonly Candidate[]
  /** Stretches of a session, each without a gap, by `seq`. */
  readonly runs: readonly (readonly number[])[]
}

export interface Neighbours {
  readonly before: ReadonlyMap<number, number>
  readonly after: ReadonlyMap<number, number>
}

/** The neighbours right before and right after each memory in its session. */
export function neighboursOf(runs: CandidateSet['runs']): Neighbours {
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
