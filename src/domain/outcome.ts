import type { ChangeResult } from './change.ts'
import type { Disposition, LifecycleState, RuleName } from './dispositions.ts'
import type { Tier } from './doors.ts'
import type { MunimentError } from './errors.ts'
import type { Hash, MemoryId, Ref } from './ids.ts'
import type { Instant } from './time.ts'

export interface EntryPointer {
  readonly seq: number
  readonly hash: Hash
}

/** Result of a write. A refusal is a result too: `ref` is null and `message` gives the reason. */
export interface WriteResult {
  /** The memory written or repeated. */
  readonly ref: Ref | null
  readonly id: MemoryId | null
  readonly disposition: Disposition
  readonly rule: RuleName
  readonly reasons: readonly string[]
  /** The recording entry; a repeat points at the entry of the first write. */
  readonly entry: EntryPointer
  readonly tier: Tier | null
  /** Set when an existing memory got a new revision; `version` is the revision's number. */
  readonly revised?: true
  readonly version?: number
  /** Memories captured by the engine for this write, in the same commit. */
  readonly captures: readonly Ref[]
  /** The suggestion that keeps a refused belief or value. */
  readonly suggestion: Ref | null
  /** For barred words: the erased or rejected memory through which a person can readmit them. */
  readonly keptOutBy?: Ref
  /** For a checked belief or note: memories that contradict the new memory. A person decides. */
  readonly contradicts?: readonly Ref[]
  readonly message: string | null
  readonly hint: string | null
}

/** An accepted write always names a memory. */
export type Accepted = WriteResult & { readonly ref: Ref; readonly id: MemoryId }

export const isAccepted = (result: WriteResult): result is Accepted =>
  result.ref !== null && result.id !== null

/** Result of distrust or renewed trust. */
export interface DistrustResult {
  /** Null when nothing changed. */
  readonly entry: EntryPointer | null
  /** Memories that lost or regained belief, in the order of their entries. */
  readonly memories: readonly Ref[]
  /** Believed memories that lost a source and wait for a person; `cleared` memories regained it. */
  readonly flagged: readonly Ref[]
  readonly cleared: readonly Ref[]
}

export interface StateResult {
  readonly state: LifecycleState
  readonly entry: EntryPointer | null
}

export interface PolicyResult {
  readonly policyHash: Hash
  readonly entry: EntryPointer | null
}

export interface ClockResult {
  readonly reading: Instant
  /** Time of the previous entry; null in an empty ledger. */
  readonly last: Instant | null
  /** Null if the clock and the last entry agreed. */
  readonly entry: EntryPointer | null
}

export type Outcome =
  /** A result per draft. A refused batch has only the refusal, with the refused draft's index. */
  | { readonly type: 'written'; readonly results: readonly WriteResult[] }
  | { readonly type: 'refused'; readonly index: number; readonly result: WriteResult }
  | { readonly type: 'changed'; readonly result: ChangeResult }
  | { readonly type: 'state'; readonly result: StateResult }
  | { readonly type: 'policy'; readonly result: PolicyResult }
  | { readonly type: 'tidied' }
  | { readonly type: 'corrected'; readonly result: ClockResult }
  | { readonly type: 'rejected'; readonly entry: EntryPointer }
  | { readonly type: 'released'; readonly entry: EntryPointer; readonly disposition: Disposition }
  /** An entry per memory, in order; empty if all were erased before. */
  | { readonly type: 'erased'; readonly entries: readonly EntryPointer[] }
  | { readonly type: 'turned'; readonly result: DistrustResult }
  /** Null if nothing barred these words. */
  | { readonly type: 'readmitted'; readonly entry: EntryPointer | null }
  | { readonly type: 'keptOut'; readonly entry: EntryPointer | null }
  | { readonly type: 'error'; readonly error: MunimentError }
