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

/** What numbers are read by: the policy in force and the time. */
export interface Moment {
  readonly policy: Policy
  readonly now: Instant
}

/** A change of one memory, as use cases ask for it. */
export interface ChangeRequest {
  readonly ref: Ref
  readonly change: Change
  readonly text?: string | null
  readonly label: Label
  readonly actor: string
  readonly caller: Caller
}

/** What erasing needs beside reading. */
export interface Erasing {
  /** Makes tombstones; null where a copy came without it. */
  tombstoneKey(): Uint8Array | null
  erase(
    request: Omit<EraseCommand, 'type' | 'arrival'>,
  ): Promise<Extract<Outcome, { type: 'erased' | 'changed' }>>
  readmit(marks: readonly Hash[], actor: string, caller: Caller): Promise<EntryPointer | null>
  /** Keeps words out that were erased elsewhere; null where they are kept out already. */
  keepOut(
    erasure: Pick<KnownErasure, 'tombstones' | 'basis'>,
    by: { readonly actor: string; readonly caller: Caller },
  ): Promise<EntryPointer | null>
  forgetReceipts(what: Forgotten): Promise<void>
  /** Destroys what deleting left in files; false where somebody is in the way. */
  scrub(): Promise<boolean>
  /** Keeps why the files could not be cleaned; null once they could. */
  failed(fault: string | null): void
  /** Why the files could not be cleaned when this process last tried. */
  fault(): string | null
  known(uid: string): readonly KnownErasure[]
  note(uid: string, erasures: readonly KnownErasure[]): void
}

/** What the use cases of a stack work with: reading, writing through the gate, and the time. */
export interface Uses {
  readonly stackId: StackId
  readonly sha256: Sha256
  read<Q extends ReadQuery>(query: Q): Promise<Answer<Q>>
  /** Reads also from a ledger that lost entries: for the audit, which says what is missing. */
  readonly asLeft: {
    read<Q extends ReadQuery>(query: Q): Promise<Answer<Q>>
    /** The last entry that a witness outside the ledger saw; -1 where there is none. */
    witnessed(): Promise<number>
  }
  /** What was read of candidates; ranking asks it. */
  readonly recollection: Recollection
  now(): Instant
  /** Lets everybody else go first, in the midst of long work. */
  giveWay(): Promise<void>
  nextId(): MemoryId
  moment(): Promise<Moment>
  policyHash(): Promise<Hash>
  write(request: WriteRequest, caller: Caller): Promise<WriteResult>
  writeAll(
    requests: readonly WriteRequest[],
    caller: Caller,
    knowing?: number | null,
  ): Promise<Written>
  /**
   * How often somebody else was met who wrote. A write that is made `knowing` this is decided only where
   * nobody wrote since, and otherwise throws `Overtaken`: what it goes by may be so no longer.
   */
  strangers(): Promise<number>
  change(request: ChangeRequest): Promise<ChangeResult>
  /** Believes something no longer, or again; a model's wish is kept for a person. */
  turn(
    request: Omit<DistrustCommand, 'type' | 'arrival'>,
  ): Promise<Extract<Outcome, { type: 'turned' | 'changed' }>>
  /** The gate's side of erasing, and what is outside the stack's file. */
  readonly erasing: Erasing
  /** Lets times follow the clock from here on. */
  correctClock(caller: Caller): Promise<ClockResult>
  /** Tells what is due: tallies whose window has ended. */
  tidy(): Promise<void>
  /** Writes a file of one's own, where the place the stack lives in has files. */
  writeFile(path: string, chunks: AsyncIterable<string>): Promise<void>
}
