import type { Change, ChangeResult } from '../domain/change.ts'
import type { Caller } from '../domain/doors.ts'
import type { DistrustCommand, EraseCommand } from '../domain/draft.ts'
import type { Hash, MemoryId, Ref, StackId } from '../domain/ids.ts'
import type { Label } from '../domain/labels.ts'
import type { ClockResult, EntryPointer, Outcome, WriteResult } from '../domain/outcome.ts'
import type { Policy } from '../domain/policy.ts'
import type { Instant } from '../domain/time.ts'
import type { Sha256 } from '../ledger/sha256.ts'
import type { KnownErasure } from '../ports/keyring.ts'
import type { Forgotten } from '../ports/receipts.ts'
import type { Answer, ReadQuery } from '../ports/store.ts'
import type { Recollection } from './search/recollection.ts'
import type { Written } from './write/write.ts'
import type { WriteRequest } from './write/write-request.ts'

/** The policy in force and the time: both decide the numbers of a memory. */
export interface Moment {
  readonly policy: Policy
  readonly now: Instant
}

/** A change of one memory, as use cases request changes. */
export interface ChangeRequest {
  readonly ref: Ref
  readonly change: Change
  readonly text?: string | null
  readonly label: Label
  readonly actor: string
  readonly caller: Caller
}

/** Tools of erasure beyond reading. */
export interface Erasing {
  /** Makes tombstones; null where a copy came without the key. */
  tombstoneKey(): Uint8Array | null
  erase(
    request: Omit<EraseCommand, 'type' | 'arrival'>,
  ): Promise<Extract<Outcome, { type: 'erased' | 'changed' }>>
  readmit(marks: readonly Hash[], actor: string, caller: Caller): Promise<EntryPointer | null>
  /** Refuses words that were erased elsewhere; null where the tombstones exist already. */
  keepOut(
    erasure: Pick<KnownErasure, 'tombstones' | 'basis'>,
    by: { readonly actor: string; readonly caller: Caller },
  ): Promise<EntryPointer | null>
  forgetReceipts(what: Forgotten): Promise<void>
  /** Destroys deleted content in files; false where another process is in the way. */
  scrub(): Promise<boolean>
  /** Keeps the reason for a failed cleaning of the files; null after a successful one. */
  failed(fault: string | null): void
  /** The reason for the last failed cleaning in this process, or null. */
  fault(): string | null
  known(uid: string): readonly KnownErasure[]
  note(uid: string, erasures: readonly KnownErasure[]): void
}

/** The context of the use cases: reading, writing through the gate, and the time. */
export interface Uses {
  readonly stackId: StackId
  readonly sha256: Sha256
  read<Q extends ReadQuery>(query: Q): Promise<Answer<Q>>
  /**
   * Reads also from a ledger that lost entries: the audit needs these reads to report the missing
   * entries.
   */
  readonly asLeft: {
    read<Q extends ReadQuery>(query: Q): Promise<Answer<Q>>
    /** The last entry that a witness outside the ledger saw; -1 without a witness. */
    witnessed(): Promise<number>
  }
  /** Cached candidates for ranking. */
  readonly recollection: Recollection
  now(): Instant
  /** Yields to the event loop during long work. */
  yieldToEventLoop(): Promise<void>
  nextId(): MemoryId
  moment(): Promise<Moment>
  policyHash(): Promise<Hash>
  write(request: WriteRequest, caller: Caller): Promise<WriteResult>
  writeAll(
    requests: readonly WriteRequest[],
    caller: Caller,
    expectedMoves?: number | null,
  ): Promise<Written>
  /**
   * Number of head moves by other writers. A write with `expectedMoves` set to this number is decided
   * only on an unmoved head, and otherwise throws `HeadMovedError`, because earlier reads may be
   * outdated.
   */
  foreignMoves(): Promise<number>
  change(request: ChangeRequest): Promise<ChangeResult>
  /** Changes trust in an origin; a model's request becomes a proposal for a person. */
  setTrust(
    request: Omit<DistrustCommand, 'type' | 'arrival'>,
  ): Promise<Extract<Outcome, { type: 'turned' | 'changed' }>>
  /** Erasure through the gate, and erasure of data outside the stack's file. */
  readonly erasing: Erasing
  /** Entries take their times from the clock again. */
  correctClock(caller: Caller): Promise<ClockResult>
  /** Writes due entries: tallies of ended windows. */
  tidy(): Promise<void>
  /** Writes a file, where the stack lives in an environment with files. */
  writeFile(path: string, chunks: AsyncIterable<string>): Promise<void>
}
