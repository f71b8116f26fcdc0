import type { StackState } from '../../domain/state.ts'
import type { Batch } from '../../domain/waist.ts'
import { toHex } from '../../ledger/sha256.ts'
import type { Keyring, Random, StackKeys } from '../../ports/world.ts'
import type { CommitListener } from './sequencer.ts'

const REPLICA_BYTES = 16
const TOMBSTONE_KEY_BYTES = 32

/**
 * The replica that writes here, and the tombstone key outside the stack's file. A stack first
 * written here becomes a new replica. A stack from elsewhere with tombstones needs its key before
 * the first write.
 */
export class StackIdentity implements CommitListener {
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

  /** Finds the keys as soon as the stack has a uid; before genesis there are none. */
  observed(stack: StackState): void {
    if (this.#keys !== null || stack.uid === null) return
    const found = this.#keyring.find(stack.uid)
    if (found) this.#keys = found
    else if (stack.tombstones > 0) this.#keys = { ...this.#fresh, tombstoneKey: null }
    else this.#keys = this.#fresh
  }

  /** Stores the keys before a commit, so that a committed stack always has keys. */
  committing({ stack }: Batch): void {
    if (this.#isSettled || stack.uid === null || stack.replica === null) return
    const own = this.#keys ?? { ...this.#fresh, replica: stack.replica }
    const kept = this.#keyring.keep(stack.uid, own)
    if (this.#keys !== null) this.#keys = kept
  }

  /** Drops the keys after a failed genesis. */
  unfounded({ stack: { uid } }: Batch): void {
    if (uid !== null) this.#keyring.drop?.(uid)
  }

  /** Takes the stored keys after the commit. */
  committed({ stack }: Batch): void {
    if (this.#isSettled || stack.uid === null) return
    this.#keys = this.#keyring.find(stack.uid)
    this.#isSettled = true
  }

  /** Null until genesis draws the replica. */
  get replica(): string | null {
    return this.#keys?.replica ?? null
  }

  get tombstoneKey(): Uint8Array | null {
    return (this.#keys ?? this.#fresh).tombstoneKey
  }
}
