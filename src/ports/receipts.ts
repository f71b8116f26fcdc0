import type { Door, Tier } from '../domain/doors.ts'
import type { MemoryId, Ref } from '../domain/ids.ts'
import type { Instant } from '../domain/time.ts'

/** Record of a served memory: the actor, door, session and turn that received the memory. */
export interface Receipt {
  readonly time: Instant
  readonly session: string
  /** Null where the door has no turns. */
  readonly turn: string | null
  readonly actor: string
  readonly door: Door
  readonly operation: string
  readonly ref: Ref
  /** The memory's tier at the time of serving. */
  readonly tier: Tier
}

/** A served memory with the print of the served words, for recognising repeats. */
export interface ServedPrint {
  readonly ref: Ref
  readonly print: Uint32Array
}

export interface KeptReceipt {
  readonly receipt: Receipt
  readonly print: Uint32Array | null
}

/** Receipts to delete for good. */
export interface Forgotten {
  readonly refs: readonly Ref[]
  readonly actor: string | null
}

/** A request under an idempotency key, with the answer once there is one. */
export interface IdempotentRequest {
  /** A digest, because the caller's own key must not lie here. */
  readonly key: string
  /** Digest of the whole request; an equal key with another print is another request. */
  readonly print: string
  /** Id for the memory that the request makes, whichever process completes the request. */
  readonly id: MemoryId
  readonly at: Instant
  readonly answer: string | null
}

export const RECEIPT_LIMITS = {
  rowsMax: 100_000, // receipts of one stack; the oldest make room
  daysKept: 30, // afterwards a served memory counts as never served
  toldMax: 2_000, // prints that count as remembered by one session, the latest ones
  answersKeptDays: 1, // under an idempotency key; afterwards the key is new again
} as const

/**
 * Records of served memories, beside the stack and never inside: losing receipts loses no memory,
 * and recording must not make reads expensive.
 */
export interface Receipts {
  /** Records each receipt together with the print of the served words. */
  record(receipts: readonly KeptReceipt[]): Promise<void>
  /** Receipts of a session since `since`, oldest first. */
  of(session: string, since: Instant): Promise<readonly Receipt[]>
  /**
   * Every print of each memory that the session received since `since`, without duplicates, latest
   * first.
   */
  told(session: string, since: Instant): Promise<readonly ServedPrint[]>
  /**
   * A number that moves when another process changed the receipts. Without this member, `told` is
   * asked for each write; with this member, its answers are cached between two moves.
   */
  foreignChanges?(): number
  /** All receipts, oldest first. */
  all(): Promise<readonly KeptReceipt[]>
  /**
   * Also deletes all answers under idempotency keys, because answers may name or quote the
   * memories.
   */
  forget(what: Forgotten): Promise<void>
  /**
   * Records the request, unless its key is known since `since`, and returns the known request.
   * Durable before returning, unlike the rest: the work that follows must not run twice.
   */
  begin(asked: Omit<IdempotentRequest, 'answer'>, since: Instant): Promise<IdempotentRequest>
  answered(key: string, answer: string): Promise<void>
  /** The request failed; its key may be used again. */
  drop(key: string): Promise<void>
  close(): Promise<void>
}
