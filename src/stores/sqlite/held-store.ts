import { assert } from '../../domain/errors.ts'
import type { StackId } from '../../domain/ids.ts'
import type { Batch, Context, Head, Needs } from '../../domain/waist.ts'
import type { Answer, CommitResult, HeldStore, ReadQuery } from '../../ports/store.ts'
import { commitTo } from './commit.ts'
import type { Connection } from './connection.ts'
import type { Commitment } from './connections.ts'
import { faultOf, guarded } from './faults.ts'
import { gatherFrom } from './gather.ts'
import { readFrom } from './read.ts'

/** The store inside an open transaction, for the holder of the write lock. */
export class SqliteHeldStore implements HeldStore {
  readonly #writer: Connection
  readonly #stack: StackId
  #commits = 0
  #commitment: Commitment | null = null
  #hasEnded = false

  constructor(writer: Connection, stack: StackId) {
    this.#writer = writer
    this.#stack = stack
  }

  /** The result to commit; null when nothing was written. */
  get commitment(): Commitment | null {
    return this.#commitment
  }

  end(): void {
    this.#hasEnded = true
  }

  async gather(stack: StackId, needs: Needs): Promise<Context> {
    this.#assertHeld()
    return guarded(this.#writer.path, () => gatherFrom(this.#writer, stack, needs))
  }

  async read<Q extends ReadQuery>(stack: StackId, query: Q): Promise<Answer<Q>> {
    this.#assertHeld()
    const answer = guarded(this.#writer.path, () => readFrom(this.#writer, stack, query))
    return answer as Answer<Q> // the query says which
  }

  async commit(stack: StackId, batch: Batch, expected: Head): Promise<CommitResult> {
    this.#assertHeld()
    assert(stack === this.#stack, 'the lock holds for one stack')
    this.#commits += 1
    assert(this.#commits === 1, 'one commit at most under the lock')
    try {
      const result = commitTo(this.#writer, stack, { batch, expected })
      if (result.committed) this.#commitment = { head: batch.tip.head, expected, batch }
      return result
    } catch (cause) {
      // Rolled back at once, so that no reader sees half a batch.
      this.#writer.rollback()
      throw faultOf(cause, this.#writer.path)
    }
  }

  #assertHeld(): void {
    assert(!this.#hasEnded, 'the lock is held while it is used')
  }
}
