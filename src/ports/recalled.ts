import type { Tier } from '../domain/doors.ts'
import type { LabelName } from '../domain/labels.ts'
import type { Instant } from '../domain/time.ts'

/** What ranking looks at of a memory; its words are its search terms, one space between. */
export interface RecalledRow {
  readonly seq: number
  /** The entry of the revision that the terms are of. */
  readonly revisionSeq: number
  readonly label: LabelName
  readonly tier: Tier
  readonly sourceId: string
  readonly session: string | null
  readonly bornAt: Instant
  /** As its last entry left it. */
  readonly strength: number
  readonly terms: string
}

/** Hits and near ones whose neighbours are given, and how many on either side. */
export const BESIDE_HITS_MAX = 64
export const BESIDE_NEAR_MAX = 16
export const BESIDE_REACH = 2

/** How many characters must stand to begin a term or to stand in it, and in how many terms they may. */
export const BEGINNING_MIN = 3
export const INSIDE_MIN = 5
export const BEGUN_MAX = 48

/** Candidates for a question, with what is to be known of the words and of what stands beside. */
export interface Recalled {
  /** Memories that search knows. */
  readonly documents: number
  /** How many of them hold each term, in the order of the terms. */
  readonly holding: readonly number[]
  /** The hits, best by bm25 first, then what is near, and then what stands beside them. */
  readonly rows: readonly RecalledRow[]
  /** Stretches of one session and kind, each without a gap, by `seq`. */
  readonly runs: readonly (readonly number[])[]
  /** There are more hits than were asked for. */
  readonly isCut: boolean
}
