import type { StackState } from '../../domain/state.ts'
import { toHex } from '../../ledger/sha256.ts'
import type { Keyring, StackKeys } from '../../ports/keyring.ts'
import type { Random } from '../../ports/world.ts'

const REPLICA_BYTES = 16
const TOMBSTONE_KEY_BYTES = 32

/**
 * Which copy of the stack this is, and the key that lies outside it. A stack that is written here
 * for the first time becomes a replica of its own; one that was made elsewhere and holds
 * tombstones cannot be written before its key was brought along.
 */
export class StackIdentity {
  readonly #keyring: Keyring
  readonly #fresh: StackKeys
  #keys: StackKeys | null = null
  #isSettled = false

  constructor(keyring: Keyring, random: Random) {
    this.#keyring = keyring
    this.#fresh = {
      replica: toHex(random(REPLICA_BYTES)),
      tombstoneKey: random(TOMBSTONE_KEY_BYTES),
    }
  }

  /** Learns who it is as soon as the stack has a name; before genesis there is nothing to know. */
  meet(stack: StackState): void {
    if (this.#keys !== null || stack.uid === null) return
    const found = this.#keyring.find(stack.uid)
    if (found) this.#keys = found
    else if (stack.tombstones > 0) this.#keys = { ...this.#fresh, tombstoneKey: null }
    else this.#keys = this.#fresh
  }

  /** Before a commit: whoever then finds the stack finds its keys too. */
  announce(stack: StackState): void {
    if (this.#isSettled || stack.uid === null || stack.replica === null) return
    const own = this.#keys ?? { ...this.#fresh, replica: stack.replica }
    const kept = this.#keyring.keep(stack.uid, own)
    if (this.#keys !== null) this.#keys = kept
  }

  /** Instead of it: the stack never came to be, and its keys are nobody's. */
  withdraw({ uid }: StackState): void {
    if (uid !== null) this.#keyring.drop?.(uid)
  }

  /** After it: what was kept is who this is. */
  settle(stack: StackState): void {
    if (this.#isSettled || stack.uid === null) return
    this.#keys = this.#keyring.find(stack.uid)
    this.#isSettled = true
  }

  /** Null while genesis has still to draw it. */
  get replica(): string | null {
    return this.#keys?.replica ?? null
  }

  get tombstoneKey(): Uint8Array | null {
    return (this.#keys ?? this.#fresh).tombstoneKey
  }
}
