import type { Doubted } from '../domain/distrust.ts'
import type { SealedRow } from '../domain/entry.ts'
import type { Hash, RecordKind, Ref, StackId } from '../domain/ids.ts'
import type { TextRow } from '../domain/kinds/content.ts'
import type { Policy } from '../domain/policy.ts'
import type {
  ActorKey,
  Burst,
  LineState,
  MemoryState,
  ShownState,
  StackState,
  Tombstone,
} from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import type { Disposition } from '../domain/vocabulary.ts'
import type { Batch, Context, Head, Needs, Tip } from '../domain/waist.ts'
import type { KeptVectors, TouchedRow, VectorBatch, VectorModel } from './models.ts'
import type {
  MemoriesQuery,
  Projection,
  Projections,
  Recalled,
  TableQuery,
  Tables,
} from './queries.ts'
import type { Receipts } from './receipts.ts'

/** An entry as stored and not yet checked; the reader decides whether to trust the entry. */
export interface EntryRow {
  readonly seq: number
  readonly bytes: Uint8Array
  readonly hash: Hash
  readonly prevHash: Hash
}

/** Hash inputs, tags included, one behind the other. */
export interface Preimages {
  readonly seqs: readonly number[]
  /** Negative where the salt of the content has a wrong length. */
  readonly lengths: readonly number[]
  readonly bytes: Uint8Array
}

/**
 * A stretch of the ledger as hash inputs: a row for each entry would cost more than the hashing.
 */
export interface LedgerRun {
  readonly entries: Preimages
  /** Stored hashes in hex, separated by commas. */
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
 * Filters of a list, applied before the limit. Numbers are stored values without decay, so a reader
 * that needs current values checks the results again.
 */
export interface Narrowed {
  readonly subtype?: string
  readonly status?: string
  readonly name?: string
  readonly session?: string
  /** Asserted by a person. Combined with `session`, an index finds these memories. */
  readonly byPerson?: true
  /** The source, as certificates name sources. */
  readonly source?: string
  readonly bornFrom?: Instant
  /** Born before this moment. */
  readonly bornBefore?: Instant
  /** The memory's context, or one of its context tags. */
  readonly context?: string
  /** The given context, or no context at all; a memory without context holds everywhere. */
  readonly contextOrNone?: string
  /** At least one of the tags. */
  readonly tags?: readonly string[]
  readonly strengthMin?: number
  readonly confidenceMin?: number
  readonly tierMin?: number
  /** Only tiers below this. */
  readonly tierBelow?: number
  /** Without these dispositions. */
  readonly except?: readonly Disposition[]
  /** Without captures for other memories. */
  readonly withoutCaptures?: true
  /** Without captures and without processed memories. */
  readonly untouched?: true
  /** Without notes that hooks write about a session, because these only count captures. */
  readonly withoutBookkeeping?: true
}

/** Cursor of a page: the list continues behind the memory with this weight and seq. */
export interface WeightCursor {
  readonly weight: number
  readonly seq: number
}

export interface Match {
  readonly memory: StoredMemory
  /** bm25 of the terms; larger is better. */
  readonly score: number
}

/** A claim as timelines fold claims, with the sealed content as text; null once erased. */
export interface ClaimRow {
  readonly state: LineState
  readonly sealed: string | null
}

/**
 * A memory met on a walk along lineage. A walk may meet thousands, so the row holds only the shown
 * fields.
 */
export interface MetMemory {
  readonly state: ShownState
  /** Sealed content of the current revision, as text; null once erased. */
  readonly sealed: string | null
  readonly notes: readonly SealedRow[]
}

/** A memory that may be loaded: the shown fields, and the fields for choosing. */
export interface ShelvedMemory extends Omit<MetMemory, 'state'> {
  readonly state: Omit<ShownState, 'parents'> & Pick<MemoryState, 'seq' | 'weight' | 'line'>
}

export type ReadQuery =
  | { readonly type: 'standing' }
  | { readonly type: 'memory'; readonly ref: Ref }
  | MemoriesQuery
  /**
   * Memories that hold any of the terms, best first, then oldest; the first `skip` are left out.
   */
  | {
      readonly type: 'match'
      readonly terms: readonly string[]
      readonly kinds: readonly RecordKind[]
      readonly skip: number
      readonly limit: number
      readonly where?: Narrowed
    }
  /**
   * The best `hits` with any of the terms, the memories of `near` beyond these, and the neighbours
   * in time of the first of both.
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
   * For each term that no memory holds, and for each single character of a script without spaces:
   * the terms that begin with or else contain the term. Only the first of them, in the order of
   * their bytes.
   */
  | { readonly type: 'begins'; readonly terms: readonly string[] }
  | { readonly type: 'vectors'; readonly model: VectorModel }
  /** Memories of the `limit` entries behind `after`, oldest first. */
  | { readonly type: 'touched'; readonly after: number; readonly limit: number }
  /** Claims with one subject and predicate, oldest first. */
  | { readonly type: 'line'; readonly line: Hash; readonly which: 'all' }
  /**
   * Of the timeline only claims that no other claim replaced and that do not end by `at`, whatever
   * the policy, and the claims that tell the kind of timeline.
   */
  | {
      readonly type: 'line'
      readonly line: Hash
      readonly which: 'standing'
      readonly at: Instant | null
    }
  | { readonly type: 'entries'; readonly from: number; readonly limit: number }
  | { readonly type: 'entries'; readonly about: Ref }
  /** Hash inputs of the positions `from` to `to`, both included, as far as they exist. */
  | { readonly type: 'run'; readonly from: number; readonly to: number }
  | LineageQuery
  /**
   * Present memories of an origin, or one memory, with all descendants and with the parents of all
   * of these; oldest first.
   */
  | { readonly type: 'doubted'; readonly what: Doubted; readonly visitMax: number }
  /** A policy that was in force at some time, by its hash. */
  | { readonly type: 'policy'; readonly hash: Hash }
  | { readonly type: 'counts' }
  | TableQuery

/** Every ancestor (up) or descendant (down) of `ref`, and `ref` itself. */
export interface LineageQuery {
  readonly type: 'lineage'
  readonly ref: Ref
  readonly direction: 'up' | 'down'
  readonly visitMax: number
  /** Only the count without `ref` itself, without reading the memories. */
  readonly as?: 'count'
}

/** The answer of a store to each query; null where a walk would touch more than `visitMax`. */
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
  /** With the last entry that the store looked at; `isLast` when no entry follows. */
  touched: {
    readonly rows: readonly TouchedRow[]
    readonly upto: number
    readonly isLast: boolean
  }
  /** With counts of replaced claims and of standing claims that are over, whether read or not. */
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
  /** Another writer committed first; nothing of the batch was written. */
  | { readonly committed: false; readonly head: Head }

/** Reads only; `snapshot` lends a reader. */
export type Reader = Pick<Store, 'gather' | 'read'>

/** The complete result of folding the ledger. */
export interface Derived {
  readonly states: Iterable<MemoryState>
  readonly texts: Iterable<TextRow>
  readonly tip: Tip
  readonly stack: StackState
}

/** The store for the holder of the write lock: one commit at most, and no second lock. */
export type HeldStore = Pick<Store, 'gather' | 'read' | 'commit'>

/** Storage of stacks. Equal histories give equal bytes and equal answers in every store. */
export interface Store {
  /** Answers every need from one consistent point of the stack's history. */
  gather(stack: StackId, needs: Needs): Promise<Context>
  commit(stack: StackId, batch: Batch, expected: Head): Promise<CommitResult>
  read<Q extends ReadQuery>(stack: StackId, query: Q): Promise<Answer<Q>>
  /**
   * Takes the write lock before gathering; one commit at most, no nesting. A store that loses the
   * lock before anything is kept may run the work again.
   */
  exclusively<T>(stack: StackId, work: (held: HeldStore) => Promise<T>): Promise<T>
  /**
   * Keeps vectors: a copy of the bodies' meaning, no part of the ledger. Memories revised or erased
   * since are left out. Returns false, and keeps nothing, where the earlier vectors are gone.
   */
  putVectors(stack: StackId, batch: VectorBatch): Promise<boolean>
  /**
   * All reads of `work` see one moment, however long the work takes and whatever is committed
   * meanwhile.
   */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  /** Replaces all derived rows by freshly folded rows; the log stays untouched. */
  replaceDerived(stack: StackId, derived: Derived, expected: Head): Promise<CommitResult>
  /** Places of the store that a scrub does not reach; a certificate of erasure names them. */
  readonly notScrubbed?: readonly string[]
  /**
   * Destroys deleted content in free pages, in the log and in the word index. Returns false where
   * some may remain, for example because another process is reading.
   */
  scrub(stack: StackId): Promise<boolean>
  /**
   * Receipts in the store itself, for a store that outlives the process and has no file. In other
   * stores receipts end with the process.
   */
  receiptsFor?(stack: StackId): Receipts
  /**
   * The last entry that a witness outside the ledger saw committed. A head below this entry, or
   * another entry in its place, means that commits were lost. Absent where a store has no witness.
   */
  witnessed?(): Promise<Witnessed>
  /**
   * Changes whenever the file at the stack's path may have been replaced by another; a checkpoint
   * changes it too. Absent where a store has no file.
   */
  fileState?(): string
  close(): Promise<void>
}

/** The word of a witness outside the ledger. */
export interface Witnessed {
  /** The last entry seen; -1 where the witness saw none. */
  readonly seq: number
  /** The hash of that entry, where the witness knows it. */
  readonly hash: Hash | null
  /** The witness is there and says nothing readable. */
  readonly isDamaged: boolean
}

/** Rows of a store just after a past entry, as far as the next decision needed them. */
export interface PastRows {
  readonly tip: Tip
  readonly stack: StackState
  readonly policies: ReadonlyMap<Hash, Policy>
  readonly memories: ReadonlyMap<Ref, MemoryState>
  readonly sealed: readonly SealedRow[]
  readonly actorKeys: readonly ActorKey[]
  readonly bursts: readonly Burst[]
  readonly tombstones: readonly Tombstone[]
}

/** Gathers from past rows, as a store would have answered then. */
export type GatherPast = (past: PastRows, needs: Needs) => Context | Promise<Context>
