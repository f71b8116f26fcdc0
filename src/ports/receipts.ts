import type { Door, Tier } from '../domain/doors.ts'
import type { MemoryId, Ref } from '../domain/ids.ts'
import type { Instant } from '../domain/time.ts'

/** That a memory was served: to whom, through which door, in which session and turn. */
export interface Receipt {
  readonly time: Instant
  readonly session: string
  /** Null where the door knows no turns. */
  readonly turn: string | null
  readonly actor: string
  readonly door: Door
  readonly operation: string
  readonly ref: Ref
  /** The tier that the words had when they were served. */
  readonly tier: Tier
}

/** What a session was told, as it is known again: the memory, and the print of the words. */
export interface Told {
  readonly ref: Ref
  readonly print: Uint32Array
}

/** A receipt with the print that was kept with it, if there was one. */
export interface KeptReceipt {
  readonly receipt: Receipt
  readonly print: Uint32Array | null
}

/** What is to be forgotten for good. */
export interface Forgotten {
  /** That these memories were served. */
  readonly refs: readonly Ref[]
  /** That this actor was told anything. */
  readonly actor: string | null
}

/** That something was asked for under a key, and what was answered, if it was. */
export interface AskedOnce {
  /** A digest: the key itself is known to whoever asked. */
  readonly key: string
  /** Of all that was asked; the same key with another is another request. */
  readonly print: string
  /** The id of a memory that is made by it, by whichever process comes that far. */
  readonly id: MemoryId
  readonly at: Instant
  readonly answer: string | null
}

export const RECEIPT_LIMITS = {
  rowsMax: 100_000, // receipts of one stack; the oldest make room
  daysKept: 30, // afterwards nobody remembers having been told
  toldMax: 2_000, // prints that one session is held to have in mind, the latest ones
  answersKeptDays: 1, // under a key; afterwards the same key is a new one
} as const

/**
 * What was served, beside the stack and never in it: losing it loses no memory, and writing it down
 * must not make reading dear.
 */
export interface Receipts {
  /** Each with the print of the words that were served; they go together. */
  record(receipts: readonly KeptReceipt[]): Promise<void>
  /** Those of a session that are not older than `since`, oldest first. */
  of(session: string, since: Instant): Promise<readonly Receipt[]>
  /** Every print of each memory that a session was served since then, each once, the latest first. */
  told(session: string, since: Instant): Promise<readonly Told[]>
  /** All that is kept, oldest first. */
  all(): Promise<readonly KeptReceipt[]>
  /** With it goes all that was answered under keys, since that may name or quote them. */
  forget(what: Forgotten): Promise<void>
  /**
   * Writes down that this is asked for, unless its key is known since then, and gives what is known.
   * Durable before it returns, unlike the rest: what is done next must not be done twice.
   */
  begin(asked: Omit<AskedOnce, 'answer'>, since: Instant): Promise<AskedOnce>
  answered(key: string, answer: string): Promise<void>
  /** It came to nothing: the key may be used anew. */
  drop(key: string): Promise<void>
  close(): Promise<void>
}
