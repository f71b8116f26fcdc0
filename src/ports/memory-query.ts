import type { Hash, RecordKind, Ref } from '../domain/ids.ts'
import type { MemoryState, ReviewKind } from '../domain/state.ts'
import type { Narrowed, ShelvedMemory, StoredMemory, WeightCursor } from './store.ts'

/** Memories for a query; every given condition must hold. */
export interface MemoryFilter extends Narrowed {
  readonly kind?: RecordKind
  readonly kinds?: readonly RecordKind[]
  readonly present?: true
  /** Entries of the births. */
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

/** A memory in each projection. */
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
  | { readonly order?: 'newest' | 'oldest'; readonly after?: number | null }
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
