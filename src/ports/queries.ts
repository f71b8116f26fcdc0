import type { Tier } from '../domain/doors.ts'
import type { SealedRow } from '../domain/entry.ts'
import type { Hash, RecordKind, Ref } from '../domain/ids.ts'
import type { LabelName } from '../domain/labels.ts'
import type { ActorKey, Burst, MemoryState, ReviewKind, Tally, Tombstone } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import type { BurstKey } from '../domain/waist.ts'
import type { Erasure, Narrowed, ShelvedMemory, StoredMemory, WeightCursor } from './store.ts'

/** Memories for a query; every given condition must hold. */
export interface MemoryFilter extends Narrowed {
  readonly kind?: RecordKind
  readonly kinds?: readonly RecordKind[]
  readonly present?: true
  readonly seqs?: readonly number[]
  readonly refs?: readonly Ref[]
  /** Changed by a later entry than this. */
  readonly changedAfter?: number
  /** Waiting for a person; a quarantined capture waits with the memory that cites the capture. */
  readonly review?: readonly ReviewKind[]
  /** Beliefs with sources, all of them gone. */
  readonly ungrounded?: true
  /**
   * Equal content. Captures are left out, and so are claims, which a query finds by their timeline.
   */
  readonly identity?: Hash
  /** The newest claim of each timeline. */
  readonly newestOfLine?: true
  /** Part of the id: the start or the end of the full id, or of the short end that lists show. */
  readonly idPart?: string
}

export interface Projections {
  readonly stored: StoredMemory
  readonly state: MemoryState
  readonly section: ShelvedMemory
  readonly seq: number
  readonly ref: Ref
}

export type Projection = keyof Projections

/** A page continues behind `after`; `heaviest` ends with the newest memories of no weight. */
export type MemoryOrder =
  | {
      readonly order?: 'newest' | 'oldest'
      readonly after?: number | null
      /** Newest first by the time of origin, then by ref: alike on every replica. */
      readonly byOrigin?: boolean
    }
  | { readonly order: 'heaviest'; readonly after?: WeightCursor | null }
  /** In the order of the filter's `seqs` or `refs`. */
  | { readonly order: 'given' }

/** Stored memories, newest first by default. */
export type MemoriesQuery = MemoryOrder & {
  readonly type: 'memories'
  readonly as?: Projection
  readonly where?: MemoryFilter
  /** No limit when omitted. */
  readonly limit?: number
}

/** Tables for bundles and audits, each in a fixed order. */
export interface Tables {
  /** Content by the sealing entry. */
  readonly sealed: SealedRow
  /** By identity, then by actor in byte order. */
  readonly bursts: Burst
  readonly actorKeys: ActorKey
  readonly tallies: Tally
  readonly tombstones: Tombstone
  /** Destroyed content with the destroying entries; by `seq`. */
  readonly erasures: Erasure
  /** Entries filed under another memory than the memory that their bytes name. */
  readonly misfiled: number
  /** Erasure entries with bytes that may remain on disk; oldest first. */
  readonly scrubs: number
}

export type TableName = keyof Tables

export type TableQuery =
  | { readonly type: 'table'; readonly name: Exclude<TableName, 'sealed' | 'bursts'> }
  | {
      readonly type: 'table'
      readonly name: 'sealed'
      readonly from: number
      readonly to: number
    }
  | {
      readonly type: 'table'
      readonly name: 'bursts'
      readonly after: BurstKey | null
      readonly limit: number
    }

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
