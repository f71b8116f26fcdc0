import type { EraseBasis } from '../domain/erasure.ts'
import type { Hash, Ref } from '../domain/ids.ts'

/** What belongs to a stack and must not lie in its file. */
export interface StackKeys {
  /** Which copy of the stack this place writes, 32 hex digits. */
  readonly replica: string
  /** Makes and checks tombstones, 32 bytes; null where a copy came without it. */
  readonly tombstoneKey: Uint8Array | null
}

/** An erasure that was done, kept where no copy of the stack brings it back. */
export interface KnownErasure {
  /** The entry that says so. */
  readonly seq: number
  readonly hash: Hash
  readonly basis: EraseBasis
  /** The memory that was erased, or the pseudonym of the actor. */
  readonly ref: Ref | null
  readonly of: Hash | null
  /** What keeps its words out, whoever they are kept out from; an older copy would not know. */
  readonly tombstones: readonly Hash[]
}

export interface Keyring {
  find(uid: string): StackKeys | null
  /** Keeps keys for a stack that has none here, and gives back what is kept: the first one wins. */
  keep(uid: string, keys: StackKeys): StackKeys
  /** Lets go of keys whose stack never came to be. */
  drop?(uid: string): void
  /** Erasures done on this stack, oldest first. */
  erasures(uid: string): readonly KnownErasure[]
  /** Adds those that are not there yet. */
  noteErasures(uid: string, erasures: readonly KnownErasure[]): void
}
