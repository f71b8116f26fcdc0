import type { Tier } from '../domain/doors.ts'
import type { LabelName } from '../domain/labels.ts'
import type { Instant } from '../domain/time.ts'

/**
 * The fields of a memory that ranking uses; `terms` holds the search terms, separated by spaces.
 */
export interface RecalledRow {
  readonly seq: number
  /** The entry of the revision with these terms. */
  readonly revisionSeq: number
  readonly label: LabelName
  readonly tier: Tier
  readonly sourceId: string
  readonly session: string | null
  readonly bornAt: Instant
  /** Strength after the last entry, without decay. */
  readonly strength: number
  readonly terms: string
}

/**
 * Number of hits and near memories that bring neighbours, and the number of neighbours on either
 * side.
 */
export const BESIDE_HITS_MAX = 64
export const BESIDE_NEAR_MAX = 16
export const BESIDE_REACH = 2

/**
 * Minimum characters for a term's beginning and for a part inside a term, and the most terms that
 * may match.
 */
export const BEGINNING_MIN = 3
export const INSIDE_MIN = 5
export const BEGUN_MAX = 48

/** Candidates for a question, with statistics of the terms and with neighbours. */
export interface Recalled {
  /** Number of searchable memories. */
  readonly documents: number
  /** Number of memories that hold each term, in the order of the terms. */
  readonly holding: readonly number[]
  /** Hits, best by bm25 first, then near memories, then neighbours of both. */
  readonly rows: readonly RecalledRow[]
  /** Stretches of one session and kind, each without a gap, by `seq`. */
  readonly runs: readonly (readonly number[])[]
  /** More hits exist than the query asked for. */
  readonly isCut: boolean
}
