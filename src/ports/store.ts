import type { Disposition } from '../domain/dispositions.ts'
import type { Doubted } from '../domain/distrust.ts'
import type { SealedRow } from '../domain/entry.ts'
import type { Hash, Ref, StackId } from '../domain/ids.ts'
import type { RecordKind } from '../domain/kind-names.ts'
import type { Policy } from '../domain/policy.ts'
import type { TextRow } from '../domain/search-text.ts'
import type { LineState, MemoryState, ShownState, StackState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import type { Batch, Context, Head, Needs, Tip } from '../domain/waist.ts'
import type { MemoriesQuery, Projection, Projections } from './memory-query.ts'
import type { Recalled } from './recalled.ts'
import type { Receipts } from './receipts.ts'
import type { TableQuery, Tables } from './table-query.ts'
import type { KeptVectors, TouchedRow, VectorBatch, VectorModel } from './vectors.ts'

/** An entry as it lies in the store; the reader decides whether to believe it. */
export interface EntryRow {
  readonly seq: number
  readonly bytes: Uint8Array
  readonly hash: Hash
  readonly prevHash: Hash
}

/** What hashes are made over, tags included, one behind the other. */
export interface Preimages {
  readonly seqs: readonly number[]
  /** Negative where content is kept under a salt of another length than salts have. */
  readonly lengths: readonly number[]
  readonly bytes: Uint8Array
}

/** A stretch of the ledger as it is hashed: a row for each would cost more than the hashing. */
export interface LedgerRun {
  readonly entries: Preimages
  /** As they are stored, in hex, with commas between them. */
  readonly hashes: string
  readonly prevHashes: string
  readonly sealed: Preimages
}

export interface StoredMemory {
  readonly state: MemoryState
  /** The sealed row of the current revision; null once erased. */
  readonly sealed: SealedRow | null
  /** The sealed rows that `state.notes` names, in no particular order. */
  readonly notes: readonly SealedRow[]
}

/**
 * What a list is narrowed to, before it is cut. Numbers are the stored ones, which time only
 * lowers: a reader that goes by today's looks again at what it gets.
 */
export interface Narrowed {
  readonly subtype?: string
  readonly status?: string
  readonly name?: string
  /** Written in this session. */
  readonly session?: string
  /** Asserted by a person. Together with `session` an index finds these. */
  readonly byPerson?: true
  /** Its source, as certificates name it. */
  readonly source?: string
  /** Written from this moment on, … */
  readonly bornFrom?: Instant
  /** … and before this one. */
  readonly bornBefore?: Instant
  /** Its context, or one of its context tags. */
  readonly context?: string
  /** The same, or of no context at all, which holds everywhere. */
  readonly contextOrNone?: string
  /** Any of these. */
  readonly tags?: readonly string[]
  readonly strengthMin?: number
  readonly confidenceMin?: number
  readonly tierMin?: number
  /** Only what lies below this tier. */
  readonly tierBelow?: number
  /** Not under these dispositions. */
  readonly except?: readonly Disposition[]
  /** Written for its own sake, not captured for another memory. */
  readonly withoutCaptures?: true
  /** The same, and nothing is said to have come of it. */
  readonly untouched?: true
  /** Without notes that hooks write about a session: these count captures and say nothing new. */
  readonly withoutBookkeeping?: true
}

/** Where a page goes on: behind the memory with this weight and seq. */
export interface WeightCursor {
  readonly weight: number
  readonly seq: number
}

export interface Match {
  readonly memory: StoredMemory
  /** How well its words answer the terms: bm25, larger is better. */
  readonly score: number
}

/** A claim as its line is folded, with what it sealed, as text; null once erased. */
export interface ClaimRow {
  readonly state: LineState
  readonly sealed: string | null
}

/** A memory met on a walk along lineage, which may meet thousands: no more than is shown of it. */
export interface MetMemory {
  readonly state: ShownState
  /** What the current revision sealed, as text; null once erased. */
  readonly sealed: string | null
  readonly notes: readonly SealedRow[]
}

/** A memory that may be loaded: what is shown of it, and what it is chosen by. */
export interface ShelvedMemory extends Omit<MetMemory, 'state'> {
  readonly state: Omit<ShownState, 'parents'> & Pick<MemoryState, 'seq' | 'weight' | 'line'>
}

export type ReadQuery =
  | { readonly type: 'standing' }
  | { readonly type: 'memory'; readonly ref: Ref }
  | MemoriesQuery
  /** Memories that hold any of the terms, best first, then oldest; `skip` of them left out. */
  | {
      readonly type: 'match'
      readonly terms: readonly string[]
      readonly kinds: readonly RecordKind[]
      readonly skip: number
      readonly limit: number
      readonly where?: Narrowed
    }
  /**
   * The best `hits` that hold any of the terms, those of `near` that are not among them, and what was
   * said just before and after the first of both.
   */
  | {
      readonly type: 'recall'
      readonly terms: readonly string[]
      readonly near: readonly number[]
      readonly kinds: readonly RecordKind[]
      readonly hits: number
      readonly where?: Narrowed
    }
  /**
   * For each term that no memory holds, and each that is one character of a script without spaces,
   * the terms that begin with it or else hold it; the first of them in the order of their bytes.
   */
  | { readonly type: 'begins'; readonly terms: readonly string[] }
  | { readonly type: 'vectors'; readonly model: VectorModel }
  /** Memories that the `limit` entries behind `after` are about, oldest first. */
  | { readonly type: 'touched'; readonly after: number; readonly limit: number }
  /** Claims that speak about the same, oldest first. */
  | { readonly type: 'line'; readonly line: Hash; readonly which: 'all' }
  /**
   * Of these only the ones that have not given way to another and are not over by `at`, whatever
   * the policy, and the ones that tell what kind of line it is.
   */
  | {
      readonly type: 'line'
      readonly line: Hash
      readonly which: 'standing'
      readonly at: Instant | null
    }
  | { readonly type: 'entries'; readonly from: number; readonly limit: number }
  | { readonly type: 'entries'; readonly about: Ref }
  /** What there is of the positions `from` to `to`, both included, to be hashed. */
  | { readonly type: 'run'; readonly from: number; readonly to: number }
  | LineageQuery
  /**
   * Memories that are there and come from an origin, or one of them, with everything that descends
   * from them and what all of these were made from; oldest first.
   */
  | { readonly type: 'doubted'; readonly what: Doubted; readonly visitMax: number }
  /** A policy that was in force at some time, by its hash. */
  | { readonly type: 'policy'; readonly hash: Hash }
  | { readonly type: 'counts' }
  | TableQuery

/** Every memory that `ref` descends from (up) or that descends from it (down), and itself. */
export interface LineageQuery {
  readonly type: 'lineage'
  readonly ref: Ref
  readonly direction: 'up' | 'down'
  readonly visitMax: number
  /** Only how many there are without itself, counted without reading them. */
  readonly as?: 'count'
}

/** What a store answers to each query; null where a walk would touch more than `visitMax`. */
export type Answer<Q extends ReadQuery> = Q extends MemoriesQuery
  ? readonly Projections[Q extends { readonly as: infer P extends Projection } ? P : 'stored'][]
  : Q extends TableQuery
    ? readonly Tables[Q['name']][]
    : Q extends { readonly type: 'lineage'; readonly as: 'count' }
      ? number | null
      : Q extends { readonly type: keyof Answers }
        ? Answers[Q['type']]
        : never

export interface Answers {
  standing: { readonly tip: Tip; readonly stack: StackState; readonly policy: Policy | null }
  memory: StoredMemory | null
  match: readonly Match[]
  recall: Recalled
  begins: readonly (readonly string[])[]
  vectors: KeptVectors
  /** And the last entry that was looked at; `isLast` when none stands behind it. */
  touched: {
    readonly rows: readonly TouchedRow[]
    readonly upto: number
    readonly isLast: boolean
  }
  /** And how many of the line gave way, or stand and were left out: read or not. */
  line: {
    readonly claims: readonly ClaimRow[]
    readonly gaveWay: number
    readonly over: number
  }
  entries: readonly EntryRow[]
  run: LedgerRun
  lineage: readonly MetMemory[] | null
  doubted: readonly MemoryState[] | null
  policy: Policy | null
  counts: Readonly<Partial<Record<RecordKind, number>>>
}

/** Content that was sealed at `seq` and destroyed by the entry `entry`. */
export interface Erasure {
  readonly seq: number
  readonly entry: number
}

export type CommitResult =
  | { readonly committed: true }
  /** Someone else committed first; nothing of the batch was written. */
  | { readonly committed: false; readonly head: Head }

/** Reads only; what `snapshot` lends out. */
export type Reader = Pick<Store, 'gather' | 'read'>

/** What folding the ledger gives, all of it. */
export interface Derived {
  /** Oldest first. */
  readonly states: Iterable<MemoryState>
  readonly texts: Iterable<TextRow>
  readonly tip: Tip
  readonly stack: StackState
}

/** What the holder of the write lock works with: one commit at most, and no second lock. */
export type HeldStore = Pick<Store, 'gather' | 'read' | 'commit'>

/** Where stacks are kept. Equal histories give equal bytes and equal answers in every store. */
export interface Store {
  /** Answers every need from one consistent point of the stack's history. */
  gather(stack: StackId, needs: Needs): Promise<Context>
  commit(stack: StackId, batch: Batch, expected: Head): Promise<CommitResult>
  read<Q extends ReadQuery>(stack: StackId, query: Q): Promise<Answer<Q>>
  /**
   * Takes the write lock before gathering; one commit at most, no nesting. Where the lock is lost with
   * nothing kept, a store may do the work again from the start.
   */
  exclusively<T>(stack: StackId, work: (held: HeldStore) => Promise<T>): Promise<T>
  /**
   * Keeps vectors: a copy of what bodies say, no part of the ledger. Left out is what was revised or
   * erased since. False, and nothing is kept, where those that they go on from are gone.
   */
  putVectors(stack: StackId, batch: VectorBatch): Promise<boolean>
  /** All that `work` reads is of one moment, however long it takes and whatever is committed. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  /** Rows folded anew in the place of those that are there; the log itself is not touched. */
  replaceDerived(stack: StackId, derived: Derived, expected: Head): Promise<CommitResult>
  /**
   * Destroys what deleting left behind: in free pages, in the log, in the index of words. Says
   * whether all of it is gone; somebody who reads meanwhile may be in the way.
   */
  scrub(stack: StackId): Promise<boolean>
  /**
   * Where a store that outlives the process, and has no file of its own, keeps what was served; the
   * receipts of others end with the process.
   */
  receiptsFor?(stack: StackId): Receipts
  /**
   * The last entry that a witness outside the ledger saw committed; -1 where it saw none. A head below this
   * entry means that commits were lost. Absent where a store has no witness.
   */
  witnessed?(): Promise<number>
  close(): Promise<void>
}
