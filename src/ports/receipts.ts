import type { Door, Tier } from '../domain/doors.ts'
import type { Ref } from '../domain/ids.ts'
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
  /** The tier that it had when it was served. */
  readonly tier: Tier
}

export const RECEIPT_LIMITS = {
  rowsMax: 100_000, // receipts of one stack; the oldest make room
  daysKept: 30, // afterwards nobody remembers having been told
} as const

/**
 * What was served, beside the stack and never in it: losing it loses no memory, and writing it down
 * must not make reading dear.
 */
export interface Receipts {
  record(receipts: readonly Receipt[]): Promise<void>
  /** Those of a session that are not older than `since`, oldest first. */
  of(session: string, since: Instant): Promise<readonly Receipt[]>
  /** That these memories were served, or that this actor was told anything, is forgotten for good. */
  forget(what: { readonly refs: readonly Ref[]; readonly actor: string | null }): Promise<void>
  close(): Promise<void>
}
