import type { EraseBasis } from '../domain/erasure.ts'
import type { Hash, MemoryId, Ref } from '../domain/ids.ts'

/** Milliseconds since 1970, UTC. */
export interface Clock {
  now(): number
  /**
   * Milliseconds since a fixed moment, sleep included; setting the clock does not change the value.
   */
  steady?(): number
}

export interface IdSource {
  next(timeMs: number): MemoryId
}

/** Unpredictable bytes. */
export type Random = (length: number) => Uint8Array

/** Calls back once, after so many milliseconds; the returned function cancels the call. */
export type Timer = (ms: number, run: () => void) => () => void

/** Signs heads of the log. The key never leaves the signer. */
export interface Signer {
  /** Name beside the signature: no spaces, no plus. */
  readonly name: string
  /** 32 bytes, Ed25519. */
  readonly publicKey: Uint8Array
  sign(message: Uint8Array): Uint8Array
}

/** Storage for signed heads, beside the stack and at any other place. */
export interface CheckpointShelf {
  /** Adds a head; heads are never removed. */
  put(note: string): Promise<void>
  /** Oldest first. */
  all(): Promise<readonly string[]>
  /**
   * Heads of other ledgers may lie here too: ledgers with equal names, each in a database of its
   * own.
   */
  readonly isShared?: boolean
}

/** Keys of a stack that must not lie in the stack's file. */
export interface StackKeys {
  /** The replica that this place writes, 32 hex digits. */
  readonly replica: string
  /** Makes and checks tombstones, 32 bytes; null where a copy came without the key. */
  readonly tombstoneKey: Uint8Array | null
}

/**
 * A completed erasure, kept outside the stack, so that restoring an old copy cannot undo the
 * erasure.
 */
export interface KnownErasure {
  /** The entry that records the erasure. */
  readonly seq: number
  readonly hash: Hash
  readonly basis: EraseBasis
  /** The erased memory, or the pseudonym of the actor. */
  readonly ref: Ref | null
  readonly of: Hash | null
  /** Tombstones keep the erased words out of an older copy, which would not know of the erasure. */
  readonly tombstones: readonly Hash[]
}

export interface Keyring {
  find(uid: string): StackKeys | null
  /**
   * Keeps keys for a stack that has none here, and returns the kept keys: the first caller wins.
   */
  keep(uid: string, keys: StackKeys): StackKeys
  /** Drops keys of a stack whose creation failed. */
  drop?(uid: string): void
  /** Erasures of this stack, oldest first. */
  erasures(uid: string): readonly KnownErasure[]
  /** Adds erasures that the keyring does not hold yet. */
  noteErasures(uid: string, erasures: readonly KnownErasure[]): void
}
