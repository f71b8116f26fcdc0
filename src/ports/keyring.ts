import type { EraseBasis } from '../domain/erasure.ts'
import type { Hash, Ref } from '../domain/ids.ts'

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
