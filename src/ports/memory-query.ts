import type { Hash, Ref } from '../domain/ids.ts'
import type { RecordKind } from '../domain/kind-names.ts'
import type { MemoryState, ReviewKind } from '../domain/state.ts'
import type { Narrowed, ShelvedMemory, StoredMemory, WeightCursor } from './store.ts'

/** Memories that a query is about; every condition that is given must hold. */
export interface MemoryFilter extends Narrowed {
  readonly kind?: RecordKind
  readonly kinds?: readonly RecordKind[]
  /** Not erased. */
  readonly present?: true
  /** By the entries of their births. */
  readonly seqs?: readonly number[]
  readonly refs?: readonly Ref[]
  /** Spoken of by an entry behind this one. */
  readonly changedAfter?: number
  /** Waiting for a person; a capture that was set aside waits with the memory that it was captured for. */
  readonly review?: readonly ReviewKind[]
  /** Beliefs with sources, every one of them gone. */
  readonly ungrounded?: true
  /** Saying the same; not raw words captured for others, and not claims, which are found by their line. */
  readonly identity?: Hash
  /** Claims that are the newest of their line. */
  readonly newestOfLine?: true
  /** Their id, or the end of the id that lists show, starts or ends with this. */
  readonly idPart?: string
}

/** A memory as each projection gives it. */
export interface Projections {
  readonly stored: StoredMemory
  readonly state: MemoryState
  readonly section: ShelvedMemory
  readonly seq: number
  readonly ref: Ref
}

export type Projection = keyof Projections

/** A page goes on behind `after`; `heaviest` ends with the newest of those that weigh nothing. */
export type MemoryOrder =
  | { readonly order?: 'newest' | 'oldest'; readonly after?: number | null }
  | { readonly order: 'heaviest'; readonly after?: WeightCursor | null }
  /** In the order of the filter's `seqs` or `refs`. */
  | { readonly order: 'given' }

/** Stored memories, newest first, where a query says nothing else. */
export type MemoriesQuery = MemoryOrder & {
  readonly type: 'memories'
  readonly as?: Projection
  readonly where?: MemoryFilter
  /** All of them when left out. */
  readonly limit?: number
}
