import { resolve } from 'node:path'
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
  Witnessed,
} from '../../ports/store.ts'
import { Turns } from '../sql/dialect.ts'
import { backUp } from './backup.ts'
import type { Damage } from './check.ts'
import { commitTo, putVectors, replaceDerived } from './commit.ts'
import { type Connection, nextRound, nodeDriver } from './connection.ts'
import { type Commitment, Connections, type ConnectionsOptions, openEmpty } from './connections.ts'
import { faultNamed, faultOf, guarded } from './faults.ts'
import { IN_MEMORY } from './files.ts'
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

/** `path` is the file of one stack, created by its first commit, or `:memory:`. */
export type SqliteStoreOptions = Pick<ConnectionsOptions, 'path'> & Partial<ConnectionsOptions>

const BUSY_TIMEOUT_MS = 5_000 // how long a write waits for other processes before `store_busy`

/** A result and the data to commit; null when nothing was written. */
interface Written<T> {
  readonly result: T
  readonly commitment: Commitment | null
}

/** One stack in one SQLite file; a commit is durable when the call returns. */
export class SqliteStore implements Store {
  readonly #options: ConnectionsOptions
  readonly #connections: Connections
  readonly #turns = new Turns()
  /** Settles when whoever waited for the last commit was heard. */
  #round: Promise<void> | null = null
  #isClosed = false

  constructor(options: SqliteStoreOptions) {
    this.#options = {
      driver: nodeDriver,
      busyTimeoutMs: BUSY_TIMEOUT_MS,
      readOnly: false,
      ...options,
      path: options.path === IN_MEMORY ? IN_MEMORY : resolve(options.path),
    }
    this.#connections = new Connections(this.#options)
  }

  async gather(stack: StackId, needs: Needs): Promise<Context> {
    const choose = () => this.#connections.forGathering()
    return this.#ask(choose, (connection) => gatherFrom(connection, stack, needs))
  }

  async read<Q extends ReadQuery>(stack: StackId, query: Q): Promise<Answer<Q>> {
    const choose = () => this.#connections.forReading()
    const answer = await this.#ask(choose, (connection) => readFrom(connection, stack, query))
    return answer as Answer<Q> // the query says which
  }

  async commit(stack: StackId, batch: Batch, expected: Head): Promise<CommitResult> {
    return this.#write(async (writer) => {
      const result = commitTo(writer, stack, { batch, expected })
      const commitment = { head: batch.tip.head, expected, batch }
      return { result, commitment: result.committed ? commitment : null }
    })
  }

  /** One transaction, committed when the work ends without an error. */
  async exclusively<T>(stack: StackId, work: (held: HeldStore) => Promise<T>): Promise<T> {
    return this.#write(async (writer) => {
      const held = new SqliteHeldStore(writer, stack)
      try {
        const result = await work(held)
        return { result, commitment: held.commitment }
      } finally {
        held.end()
      }
    })
  }

  /** Replaces the derived rows with rows folded anew; the log stays unchanged. */
  async replaceDerived(stack: StackId, derived: Derived, expected: Head): Promise<CommitResult> {
    return this.#write(async (writer) => {
      const result = replaceDerived(writer, stack, { derived, expected })
      const commitment = { head: derived.tip.head, expected, batch: null }
      return { result, commitment: result.committed ? commitment : null }
    })
  }

  async putVectors(stack: StackId, batch: VectorBatch): Promise<boolean> {
    return this.#writeBeside((writer) => putVectors(writer, stack, batch))
  }

  /** No part of the ledger: there is no head to witness. */
  async #writeBeside<T>(work: (writer: Connection) => T): Promise<T> {
    this.#assertOpen()
    return this.#turns.take(async () => {
      const writer = await this.#connections.begin()
      try {
        const result = work(writer)
        writer.commit()
        return result
      } catch (cause) {
        this.#connections.abandon(writer)
        throw faultOf(cause, this.#options.path)
      }
    })
  }

  /** All reads of `work` see one moment, whatever is committed meanwhile. */
  async snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#withOwnReader(async (connection) => {
      connection.standStill()
      try {
        return await work(readerOn(connection))
      } finally {
        connection.rollback()
      }
    })
  }

  /** Copies the stack while in use, into a file that must not exist yet. */
  async backup(toPath: string): Promise<Head> {
    const { driver, path } = this.#options
    const seen = await this.witnessed()
    return this.#withOwnReader((connection) => {
      // A copy of a damaged file would pass for a complete backup.
      this.#connections.assertSeen(connection, seen)
      return backUp(connection.db, driver, toPath).catch((cause: unknown) => {
        throw faultOf(cause, path)
      })
    })
  }

  /** Damage outside the content of rows, which no audit sees; empty when sound. */
  async check(): Promise<readonly Damage[]> {
    // Loaded when needed: the check loads every kind of memory, and a plain audit need not wait.
    const { check } = await import('./check.ts')
    return this.#withOwnReader(async (connection) => {
      const empty = openEmpty(this.#options)
      try {
        return guarded(this.#options.path, () => check(connection, empty.db))
      } finally {
        empty.close()
      }
    })
  }

  /**
   * Read from the file next to the stack's, which every commit is noted in. An emptied file had a first
   * entry at least.
   */
  async witnessed(): Promise<Witnessed> {
    return guarded(this.#options.path, () => {
      const { seen, isEmptied } = this.#connections
      return seen.seq < 0 && isEmptied ? { ...seen, seq: 0 } : seen
    })
  }

  fileState(): string {
    return guarded(this.#options.path, () => this.#connections.fileState)
  }

  /** Frees unused pages and lays out the rest in order. */
  async vacuum(): Promise<void> {
    this.#assertOpen()
    await this.#turns.take(() => this.#connections.vacuum())
  }

  async scrub(_stack: StackId): Promise<boolean> {
    this.#assertOpen()
    return this.#connections.scrub()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#turns.idle()
    this.#connections.close()
  }

  /**
   * A connection has one transaction, so writers of this process take turns. A commit never leaves
   * the thread, so the event loop runs between two commits: chained writers would otherwise starve
   * timers and sockets.
   */
  async #write<T>(work: (writer: Connection) => Promise<Written<T>>): Promise<T> {
    this.#assertOpen()
    return this.#turns.take(async () => {
      await this.#round
      const writer = await this.#connections.begin()
      try {
        const { result, commitment } = await work(writer)
        if (commitment === null) writer.rollback()
        else this.#connections.commit(writer, commitment)
        this.#round = nextRound()
        return result
      } catch (cause) {
        this.#connections.abandon(writer)
        throw faultOf(cause, this.#options.path)
      }
    })
  }

  /**
   * In memory only the writer's connection exists, and every user would have to wait for its work.
   */
  async #withOwnReader<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    this.#assertOpen()
    if (this.#connections.isInMemory) {
      return this.#turns.take(async () => work(await this.#connections.forReading()))
    }
    const own = (await this.#connections.openReader()) ?? openEmpty(this.#options)
    try {
      const result = await work(own)
      this.#assertUnchanged(own)
      return result
    } finally {
      own.close()
    }
  }

  /** No reader sees an uncommitted batch, even where readers share the connection. */
  async #ask<T>(
    choose: () => Promise<Connection>,
    work: (connection: Connection) => T,
  ): Promise<T> {
    for (;;) {
      this.#assertOpen()
      const connection = await choose()
      if (!connection.hasUncommitted) {
        const result = guarded(this.#options.path, () => work(connection))
        this.#assertUnchanged(connection)
        return result
      }
      await this.#turns.idle()
    }
  }

  /** A read during an unexpected write mixes two moments. */
  #assertUnchanged({ isChanged }: Connection): void {
    if (isChanged) throw faultNamed('store_busy', this.#options.path)
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new MunimentError('store_unavailable', 'The store is closed.')
  }
}

const readerOn = (connection: Connection): Reader => ({
  gather: async (stack, needs) =>
    guarded(connection.path, () => gatherFrom(connection, stack, needs)),
  read: async (stack, query) =>
    guarded(connection.path, () => readFrom(connection, stack, query)) as never, // the query's type says which
})
