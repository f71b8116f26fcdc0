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

/** What became of one write. A refusal is an answer too: `ref` is null and `message` says why. */
export interface WriteResult {
  /** The memory written, or the one that the write repeats. */
  readonly ref: Ref | null
  readonly id: MemoryId | null
  readonly disposition: Disposition
  readonly rule: RuleName
  readonly reasons: readonly string[]
  /** The entry that records it; repeats point at the entry of the first. */
  readonly entry: EntryPointer
  readonly tier: Tier | null
  /** Set where a memory that was there has a new revision, with the number of that revision. */
  readonly revised?: true
  readonly version?: number
  /** What the engine wrote down for it in the same commit. */
  readonly captures: readonly Ref[]
  /** Where a refused belief or value was kept. */
  readonly suggestion: Ref | null
  /** Of words that are kept out: the memory that was erased or rejected, by which they come back. */
  readonly keptOutBy?: Ref
  /** Of a belief or note that was looked at: what it cannot be true beside. A person decides. */
  readonly contradicts?: readonly Ref[]
  readonly message: string | null
  readonly hint: string | null
}

/** A write that was not refused: it names a memory. */
export type Accepted = WriteResult & { readonly ref: Ref; readonly id: MemoryId }

export const isAccepted = (result: WriteResult): result is Accepted =>
  result.ref !== null && result.id !== null

/** What became of a word on what is to be believed. */
export interface TurnResult {
  /** The entry that says so; null where it was so already. */
  readonly entry: EntryPointer | null
  /** What lost its belief, or has it back, in the order in which it is told. */
  readonly memories: readonly Ref[]
  /** What keeps its belief and lost a source, or has one back: it waits for a person, or no longer. */
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

/** What became of a clock correction. */
export interface ClockResult {
  /** What the clock read. */
  readonly reading: Instant
  /** The time of the last entry before; null where nothing was written. */
  readonly last: Instant | null
  /** Null where the clock and the last entry agreed. */
  readonly entry: EntryPointer | null
}

export type Outcome =
  /** One result a draft; a refused batch has only the refusal, at the index of the draft refused. */
  | { readonly type: 'written'; readonly results: readonly WriteResult[] }
  | { readonly type: 'refused'; readonly index: number; readonly result: WriteResult }
  | { readonly type: 'changed'; readonly result: ChangeResult }
  | { readonly type: 'state'; readonly result: StateResult }
  | { readonly type: 'policy'; readonly result: PolicyResult }
  | { readonly type: 'tidied' }
  | { readonly type: 'corrected'; readonly result: ClockResult }
  | { readonly type: 'rejected'; readonly entry: EntryPointer }
  | { readonly type: 'released'; readonly entry: EntryPointer; readonly disposition: Disposition }
  /** One entry a memory, in order; empty where all were erased before. */
  | { readonly type: 'erased'; readonly entries: readonly EntryPointer[] }
  | { readonly type: 'turned'; readonly result: TurnResult }
  /** Null where nothing kept these words out. */
  | { readonly type: 'readmitted'; readonly entry: EntryPointer | null }
  | { readonly type: 'keptOut'; readonly entry: EntryPointer | null }
  | { readonly type: 'error'; readonly error: MunimentError }
