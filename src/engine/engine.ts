import type { ChangeResult } from '../domain/change.ts'
import type { Caller } from '../domain/doors.ts'
import type { Hash, MemoryId, Ref, StackId } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'
import type { StackState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import type { EntryPointer, WriteResult } from '../domain/write.ts'
import type { Sha256 } from '../ledger/sha256.ts'
import type { Forgotten } from '../ports/receipts.ts'
import type { Witnessed } from '../ports/store.ts'
import type { KnownErasure } from '../ports/world.ts'
import type { ComponentRegistry } from './components/component-registry.ts'
import type { Serving } from './read/served.ts'
import type { Recollection } from './search/recollection.ts'
import type { Moment, Read } from './world.ts'
import type { CommandRequest, CommandType, OutcomeOf } from './write/outcomes.ts'
import type { ChangeRequest, WriteRequest, Written } from './write/write-request.ts'

/** Tools of erasure beyond reading. */
export interface Erasing {
  /** Makes tombstones; null where a copy came without the key. */
  tombstoneKey(): Uint8Array | null
  erase(request: CommandRequest<'erase'>): Promise<OutcomeOf<'erase'>>
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

/** Looks for the statements that a new one replaces, or also for those that it contradicts. */
export type StatementCheck = 'replacements' | 'contradictions'

/** The context of the use cases: reading, writing through the gate, and the time. */
export interface Engine {
  readonly stackId: StackId
  readonly sha256: Sha256
  readonly read: Read
  /**
   * Reads also from a ledger that lost entries: the audit needs these reads to report the missing
   * entries.
   */
  readonly asLeft: {
    readonly read: Read
    /** The word of a witness outside the ledger. */
    witnessed(): Promise<Witnessed>
  }
  /** Work on new statements that goes on after the answer to their write. */
  readonly checks: {
    add(ref: Ref, check: StatementCheck): Promise<void>
    settled(): Promise<void>
  }
  readonly registry: ComponentRegistry
  /** Leaves receipts of what a reader was served. */
  readonly serving: Serving
  /** Cached candidates for ranking. */
  readonly recollection: Recollection
  /** Erasure through the gate, and erasure of data outside the stack's file. */
  readonly erasing: Erasing
  readonly now: () => Instant
  readonly yieldToEventLoop: () => Promise<void>
  readonly nextId: () => MemoryId
  readonly moment: () => Promise<Moment>
  getPolicy(): Promise<{ readonly policy: Policy; readonly policyHash: Hash }>
  /** The state of the stack as this process last saw the stack. */
  readonly standing: StackState
  /** The actor of acts by the host process. */
  readonly host: string
  /** Throws once the stack takes no more writes. */
  assertOpen(): void
  write(request: WriteRequest, caller: Caller): Promise<WriteResult>
  /** Writes several in the open epoch, all or none. */
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
  readonly foreignMoves: () => Promise<number>
  readonly change: (request: ChangeRequest) => Promise<ChangeResult>
  /** Sends a command other than a write through the gate. */
  readonly submit: <T extends CommandType>(
    type: T,
    request: CommandRequest<T>,
  ) => Promise<OutcomeOf<T>>
  /** Writes due entries: tallies of ended windows. */
  tidy(): Promise<void>
  writeFile(path: string, chunks: AsyncIterable<string>): Promise<void>
}
