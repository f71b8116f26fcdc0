import { assert, MunimentError } from '../../domain/errors.ts'
import type { StackId } from '../../domain/ids.ts'
import type { Batch, Context, Head, Needs } from '../../domain/waist.ts'
import type { VectorBatch } from '../../ports/models.ts'
import type {
  Answer,
  CommitResult,
  Derived,
  HeldStore,
  Reader,
  ReadQuery,
  Store,
} from '../../ports/store.ts'
import { commitTo, replaceDerived } from './commit.ts'
import { gatherFrom } from './gather.ts'
import { readFrom } from './read.ts'
import { copyOf, emptyRows, putVectors, type Rows } from './rows.ts'

/** The reference store: every other store must agree byte for byte. */
export class MemoryStore implements Store {
  readonly #stacks = new Map<StackId, Rows>()
  readonly #locks = new Map<StackId, Promise<unknown>>()
  #isClosed = false

  async gather(stack: StackId, needs: Needs): Promise<Context> {
    return gatherFrom(this.rows(stack), needs)
  }

  async commit(stack: StackId, batch: Batch, expected: Head): Promise<CommitResult> {
    await this.#locks.get(stack)
    return commitTo(this.rows(stack), batch, expected)
  }

  async read<Q extends ReadQuery>(stack: StackId, query: Q): Promise<Answer<Q>> {
    return readFrom(this.rows(stack), query) as Answer<Q> // the query says which
  }

  async exclusively<T>(stack: StackId, work: (held: HeldStore) => Promise<T>): Promise<T> {
    const before = this.#locks.get(stack) ?? Promise.resolve()
    const mine = before.then(() => this.#transact(stack, work))
    const settled = mine.catch(() => undefined)
    this.#locks.set(stack, settled)
    try {
      return await mine
    } finally {
      if (this.#locks.get(stack) === settled) this.#locks.delete(stack)
    }
  }

  /** Work that throws leaves nothing behind, even after its commit. */
  async #transact<T>(stack: StackId, work: (held: HeldStore) => Promise<T>): Promise<T> {
    const before = copyOf(this.rows(stack))
    try {
      return await work(this.#unlocked(stack))
    } catch (cause) {
      this.#stacks.set(stack, before)
      throw cause
    }
  }

  /** A store for the holder of the lock; its commits do not wait for the lock again. */
  #unlocked(stack: StackId): HeldStore {
    let commits = 0
    return {
      gather: (id, needs) => this.gather(id, needs),
      read: (id, query) => this.read(id, query),
      commit: async (id, batch, expected) => {
        assert(id === stack, 'the lock holds for one stack')
        commits += 1
        assert(commits === 1, 'one commit at most under the lock')
        return commitTo(this.rows(id), batch, expected)
      },
    }
  }

  async putVectors(stack: StackId, batch: VectorBatch): Promise<boolean> {
    await this.#locks.get(stack)
    return putVectors(this.rows(stack), batch)
  }

  async snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const copy = new MemoryStore()
    for (const [stack, rows] of this.#stacks) copy.#stacks.set(stack, copyOf(rows))
    return work(copy)
  }

  async replaceDerived(stack: StackId, derived: Derived, expected: Head): Promise<CommitResult> {
    await this.#locks.get(stack)
    return replaceDerived(this.rows(stack), derived, expected)
  }

  /** Nothing to scrub: a deleted map entry leaves no bytes behind. */
  async scrub(stack: StackId): Promise<boolean> {
    this.rows(stack).scrubs.clear()
    return true
  }

  async close(): Promise<void> {
    this.#isClosed = true
  }

  /** The rows themselves, for tests that tamper with them. */
  rows(stack: StackId): Rows {
    if (this.#isClosed) throw new MunimentError('store_unavailable', 'The store is closed.')
    let rows = this.#stacks.get(stack)
    if (!rows) {
      rows = emptyRows()
      this.#stacks.set(stack, rows)
    }
    return rows
  }
}
