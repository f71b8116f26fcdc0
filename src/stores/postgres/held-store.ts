import { assert } from '../../domain/errors.ts'
import type { Ref, StackId } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Batch, Context, Head, Needs } from '../../domain/waist.ts'
import type { Answer, CommitResult, HeldStore, ReadQuery } from '../../ports/store.ts'
import { commitTo } from './commit.ts'
import type { Connection } from './connection.ts'
import { gatherFrom, readFrom } from './read.ts'

const KEYS_MAX = 50_000 // keys of a stack; beyond that, keys are looked up again

/** Keys of memories seen before, so that a citation needs no lookup. */
export type Keys = Map<Ref, number>

export function noteKeys(keys: Keys, memories: readonly MemoryState[]): void {
  if (keys.size + memories.length > KEYS_MAX) keys.clear()
  for (const { ref, seq } of memories) keys.set(ref, seq)
}

/** The store inside an open transaction, for the holder of the write lock. */
export class PostgresHeldStore implements HeldStore {
  readonly #connection: Connection
  readonly #keys: Keys
  readonly #mark: string
  #commits = 0
  #head: Head | null = null
  #hasEnded = false

  /** The mark identifies the commit, if there is a commit. */
  constructor(connection: Connection, keys: Keys, mark: string) {
    this.#connection = connection
    this.#keys = keys
    this.#mark = mark
  }

  /** The written head; null when nothing was written. */
  get head(): Head | null {
    return this.#head
  }

  end(): void {
    this.#hasEnded = true
  }

  async gather(stack: StackId, needs: Needs): Promise<Context> {
    this.#assertHeld(stack)
    const context = await gatherFrom(this.#connection, needs)
    noteKeys(this.#keys, context.memories)
    return context
  }

  async read<Q extends ReadQuery>(stack: StackId, query: Q): Promise<Answer<Q>> {
    this.#assertHeld(stack)
    const answer = await readFrom(this.#connection, query)
    return answer as Answer<Q> // the query says which
  }

  async commit(stack: StackId, batch: Batch, expected: Head): Promise<CommitResult> {
    this.#assertHeld(stack)
    this.#commits += 1
    assert(this.#commits === 1, 'one commit at most under the lock')
    const asked = { batch, expected, keys: this.#keys, mark: this.#mark, end: null }
    const result = await commitTo(this.#connection, asked)
    if (result.committed) this.#head = batch.tip.head
    return result
  }

  #assertHeld(stack: StackId): void {
    assert(!this.#hasEnded, 'the lock is held while it is used')
    assert(stack === this.#connection.stack, 'the lock holds for one stack')
  }
}
