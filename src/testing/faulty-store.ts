import { MunimentError } from '../domain/errors.ts'
import type { StackId } from '../domain/ids.ts'
import type { Batch, Context, Head, Needs } from '../domain/waist.ts'
import type { VectorBatch } from '../ports/models.ts'
import type {
  Answer,
  CommitResult,
  Derived,
  HeldStore,
  Reader,
  ReadQuery,
  Store,
} from '../ports/store.ts'

/** A fault that occurs once, at the next opportunity. */
export type Fault =
  /** The store cannot be read when the gate wants to gather. */
  | 'gather'
  /** The disk fails before any write of the batch. */
  | 'before_commit'
  /** The batch is written, and the answer is lost on the way back. */
  | 'after_commit'
  /** The answer is lost, and the store is unreachable for the check afterwards. */
  | 'after_commit_silent'
  /** Another writer commits between gathering and committing. */
  | 'intruder'

export interface FaultyStoreOptions {
  /** Writes to the stack through a separate connection, for the fault `intruder`. */
  readonly intrude?: () => Promise<void>
}

const COMMIT_FAULTS: readonly Fault[] = ['before_commit', 'after_commit', 'after_commit_silent']

/** Wraps a store and fails on demand. */
export class FaultyStore implements Store {
  readonly #inner: Store
  readonly #options: FaultyStoreOptions
  #next: Fault | null = null
  #isSilent = false

  constructor(inner: Store, options: FaultyStoreOptions = {}) {
    this.#inner = inner
    this.#options = options
  }

  /** Raises the fault in the next call that supports the fault. */
  failNext(fault: Fault): void {
    this.#next = fault
  }

  /** Works again; tells whether the fault was met. */
  heal(): boolean {
    const wasMet = this.#next === null
    this.#next = null
    this.#isSilent = false
    return wasMet
  }

  async gather(stack: StackId, needs: Needs): Promise<Context> {
    return this.#gather(this.#inner, stack, needs)
  }

  async #gather(inner: Reader, stack: StackId, needs: Needs): Promise<Context> {
    if (this.#take(['gather'])) throw unavailable()
    return inner.gather(stack, needs)
  }

  async read<Q extends ReadQuery>(stack: StackId, query: Q): Promise<Answer<Q>> {
    return this.#read(this.#inner, stack, query)
  }

  async #read<Q extends ReadQuery>(inner: Reader, stack: StackId, query: Q) {
    if (this.#isSilent) throw unavailable()
    return inner.read(stack, query)
  }

  async commit(stack: StackId, batch: Batch, expected: Head): Promise<CommitResult> {
    // No intruder can write under the lock: the fault waits for a commit without a lock.
    if (this.#take(['intruder'])) await this.#options.intrude?.()
    return this.#commit(this.#inner, stack, { batch, expected })
  }

  async #commit(
    inner: HeldStore,
    stack: StackId,
    { batch, expected }: { readonly batch: Batch; readonly expected: Head },
  ): Promise<CommitResult> {
    const fault = this.#take(COMMIT_FAULTS)
    if (fault === 'before_commit') throw unavailable()
    const result = await inner.commit(stack, batch, expected)
    if (fault === 'after_commit_silent') this.#isSilent = true
    if (fault !== null) throw unavailable()
    return result
  }

  exclusively<T>(stack: StackId, work: (held: HeldStore) => Promise<T>): Promise<T> {
    return this.#inner.exclusively(stack, (held) =>
      work({
        gather: (id, needs) => this.#gather(held, id, needs),
        read: (id, query) => this.#read(held, id, query),
        commit: (id, batch, expected) => this.#commit(held, id, { batch, expected }),
      }),
    )
  }

  async putVectors(stack: StackId, batch: VectorBatch): Promise<boolean> {
    if (this.#isSilent) throw unavailable()
    return this.#inner.putVectors(stack, batch)
  }

  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    if (this.#isSilent) throw unavailable()
    return this.#inner.snapshot(work)
  }

  replaceDerived(stack: StackId, derived: Derived, expected: Head): Promise<CommitResult> {
    return this.#inner.replaceDerived(stack, derived, expected)
  }

  scrub(stack: StackId): Promise<boolean> {
    return this.#inner.scrub(stack)
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  #take(faults: readonly Fault[]): Fault | null {
    const next = this.#next
    if (next === null || !faults.includes(next)) return null
    this.#next = null
    return next
  }
}

const unavailable = (): MunimentError =>
  new MunimentError('store_unavailable', 'The store failed, as it was told to.')
