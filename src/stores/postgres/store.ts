import { MunimentError } from '../../domain/errors.ts'
import { parseStackId, type StackId } from '../../domain/ids.ts'
import type { Batch, Context, Head, Needs } from '../../domain/waist.ts'
import type { VectorBatch } from '../../ports/models.ts'
import type { Receipts } from '../../ports/receipts.ts'
import type {
  Answer,
  CommitResult,
  Derived,
  HeldStore,
  Reader,
  ReadQuery,
  Store,
} from '../../ports/store.ts'
import { Turns } from '../sql/dialect.ts'
import type { Damage } from './check.ts'
import { assertWhole, type Committing, commitTo, hasMoved, lastEntry } from './commit.ts'
import type { Connection } from './connection.ts'
import { type Database, firstOf } from './database.ts'
import { putVectors } from './derived-rows.ts'
import { type PgClient, sent } from './drivers.ts'
import { replaceDerived, scrub } from './erase.ts'
import { faultOf, isLost } from './faults.ts'
import { type Keys, noteKeys, PostgresHeldStore } from './held-store.ts'
import { gatherFrom, readFrom } from './read.ts'
import { PostgresReceipts } from './receipts.ts'
import { Servers, Shared } from './servers.ts'

/** The result, and the decision to keep or roll back. */
interface Written<T> {
  readonly result: T
  readonly keep: boolean
}

/** Small queries that every write sends before it takes its turn. */
const isAskedOften = (query: ReadQuery): boolean =>
  query.type === 'standing' || (query.type === 'memories' && query.limit === 1)

/** Rows that change without a commit: a replica's revision says nothing about these rows. */
const isOfNoCommit = (query: ReadQuery): boolean =>
  query.type === 'table' && query.name === 'scrubs'

/** The connection was lost and nothing was kept: the same may be tried again. */
class NotKept extends Error {}

/** Many stacks in one PostgreSQL database; a commit is durable when the call returns. */
export class PostgresStore implements Store {
  readonly #database: Database
  readonly #servers: Servers
  readonly #asking = new Shared<unknown>()
  readonly #turns = new Map<StackId, Turns>()
  readonly #keys = new Map<StackId, Keys>()
  #isClosed = false
  /** Freed space is vacuumed and not overwritten; the rest belongs to the operator of the server. */
  readonly notScrubbed = ['freed_space', 'replicas', 'server_log', 'statistics'] as const

  constructor(database: Database, replica: Database | null = null) {
    this.#database = database
    this.#servers = new Servers(database, replica)
  }

  async gather(stack: StackId, needs: Needs): Promise<Context> {
    this.#assertOpen()
    const context = await this.#database.read(stack, (connection) => gatherFrom(connection, needs))
    noteKeys(this.#keysOf(stack), context.memories)
    this.#servers.saw(stack, context.tip.head)
    return context
  }

  async read<Q extends ReadQuery>(stack: StackId, query: Q): Promise<Answer<Q>> {
    this.#assertOpen()
    const answer = await (isAskedOften(query)
      ? this.#asking.share(`${stack} ${JSON.stringify(query)}`, () => this.#read(stack, query))
      : this.#read(stack, query))
    return answer as Answer<Q> // the query says which
  }

  #read(stack: StackId, query: ReadQuery): Promise<unknown> {
    const work = (connection: Connection) => readFrom(connection, query)
    return isOfNoCommit(query)
      ? this.#database.read(stack, work) // reads no ledger data
      : this.#servers.read(stack, work)
  }

  /** From now on, reads of the stack show at least this head, which another process has seen. */
  async atLeast(stack: string, head: Pick<Head, 'rev'>): Promise<void> {
    this.#assertOpen()
    const id = parseStackId(stack)
    if (!Number.isSafeInteger(head.rev)) {
      throw new MunimentError(
        'invalid_input',
        'A head has a rev, as `stack.ledger.head()` gives it.',
      )
    }
    await this.#servers.reach(id, head)
  }

  /** Retried after a lost connection: the expected head ensures that a batch is written once. */
  async commit(stack: StackId, batch: Batch, expected: Head): Promise<CommitResult> {
    this.#assertOpen()
    const mark = await this.#database.nextMark()
    const asked = { batch, expected, keys: this.#keysOf(stack), mark }
    const writing = this.#inTurn(stack, () => this.#commitOnce(stack, asked))
    const result = await writing.catch((cause: unknown) => this.#toldWhole(stack, cause))
    const told = result ?? (await this.#whatMoved(stack, mark))
    this.#servers.saw(stack, told.committed ? batch.tip.head : told.head)
    return told
  }

  /** Null on a moved head. Once the end was sent, the outcome must be queried. */
  async #commitOnce(stack: StackId, asked: Committing): Promise<CommitResult | null> {
    const client = await this.#database.borrow('write')
    const begun = this.#database.begin(client, stack)
    const connection = this.#database.seeing(client, stack)
    let ended: Promise<void> | null = null
    const end = (): void => {
      ended = sent(client.exec('COMMIT'))
    }
    try {
      const result = await commitTo(connection, { ...asked, end })
      await begun
      if (result.committed) {
        await (ended ?? client.exec('COMMIT'))
        client.release('fit')
      } else await giveUp(client, null)
      return result
    } catch (cause) {
      const first = await firstOf(begun, connection, cause)
      await giveUp(client, first)
      if (hasMoved(first)) return null
      if (!isLost(first)) throw first
      if (await this.#database.wasKept(stack, asked.mark)) return { committed: true }
      throw new NotKept('Connection terminated')
    }
  }

  /** The own process may have moved the head: a try given up as lost can still arrive. */
  async #whatMoved(stack: StackId, mark: string): Promise<CommitResult> {
    return this.#database.read(stack, async (connection) => {
      const { tip } = await connection.standing()
      if (await this.#database.isMarked(connection, mark)) return { committed: true }
      return { committed: false, head: tip.head }
    })
  }

  /** A log that refuses to grow may have lost its end: the loss is reported. */
  async #toldWhole(stack: StackId, cause: unknown): Promise<never> {
    if (cause instanceof MunimentError && cause.code === 'store_corrupt') {
      await this.#database.read(stack, async (connection) => {
        assertWhole((await connection.standing()).tip.head, await lastEntry(connection))
      })
    }
    throw cause
  }

  /** One transaction, committed when the work ends without an error. */
  async exclusively<T>(stack: StackId, work: (held: HeldStore) => Promise<T>): Promise<T> {
    this.#assertOpen()
    const mark = await this.#database.nextMark()
    const { result, head } = await this.#write(stack, mark, async (connection) => {
      const held = new PostgresHeldStore(connection, this.#keysOf(stack), mark)
      try {
        const result = await this.#servers.noting(connection, () => work(held))
        return { result: { result, head: held.head }, keep: held.head !== null }
      } finally {
        held.end()
      }
    })
    if (head !== null) this.#servers.saw(stack, head)
    return result
  }

  /** Replaces the derived rows with rows folded anew; the log stays unchanged. */
  async replaceDerived(stack: StackId, derived: Derived, expected: Head): Promise<CommitResult> {
    this.#assertOpen()
    const mark = await this.#database.nextMark()
    const told = await this.#write(stack, mark, async (connection) => {
      const result = await replaceDerived(connection, { derived, expected, mark })
      return { result, keep: result.committed }
    })
    this.#servers.saw(stack, told.committed ? derived.tip.head : told.head)
    return told
  }

  async putVectors(stack: StackId, batch: VectorBatch): Promise<boolean> {
    return this.#write(stack, null, async (connection) => {
      const result = await putVectors(connection, batch)
      return { result, keep: result }
    })
  }

  /** All reads of `work` see one moment, whatever is committed meanwhile. */
  async snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    this.#assertOpen()
    const client = await this.#database.patiently(() => this.#standingStill())
    try {
      const result = await work(this.#readerOn(client))
      client.leave('COMMIT')
      return result
    } catch (cause) {
      client.release('broken')
      throw faultOf(cause)
    }
  }

  async #standingStill(): Promise<PgClient> {
    const client = await this.#database.borrow()
    try {
      await this.#database.standStill(client)
      return client
    } catch (cause) {
      client.release('broken')
      throw cause
    }
  }

  /** Queries run one at a time: between two queries the transaction may switch to another stack. */
  #readerOn(client: PgClient): Reader {
    const turns = new Turns()
    const ask = <T>(stack: StackId, work: (connection: Connection) => Promise<T>): Promise<T> =>
      turns.take(async () => this.#servers.noting(await this.#database.turnTo(client, stack), work))
    return {
      gather: (stack, needs) => ask(stack, (connection) => gatherFrom(connection, needs)),
      read: (stack, query) =>
        ask(stack, (connection) => readFrom(connection, query)) as Promise<never>, // the query's type says which
    }
  }

  async scrub(stack: StackId): Promise<boolean> {
    this.#assertOpen()
    const pending = await this.#database.read(stack, pendingIn)
    if (pending.length === 0) return true
    await this.#write(stack, null, async (connection) => {
      await scrub.mend(connection)
      return { result: null, keep: true }
    })
    const isGone = await this.#outside((client) => scrub.vacuum(client, this.#database.schema))
    if (!isGone) return false
    await this.#write(stack, null, async (connection) => {
      await scrub.done(connection, pending)
      return { result: null, keep: true }
    })
    return true
  }

  /** Names of all stacks; of none where the login is bound to some. */
  async stacks(): Promise<readonly string[]> {
    this.#assertOpen()
    return this.#database.names()
  }

  /** Frees unused pages in the tables of all stacks. */
  async vacuum(): Promise<void> {
    await this.#outside((client) => scrub.vacuum(client, this.#database.schema))
  }

  /** The size of all stacks, indexes included. */
  async bytes(): Promise<number> {
    return this.#outside((client) => scrub.bytes(client, this.#database.schema))
  }

  /** Damage outside the content of rows, which no audit sees; empty when sound. */
  async check(stack: StackId): Promise<readonly Damage[]> {
    const { contradictions, openings } = await import('./check.ts')
    const ways = await this.#outside((client) => openings(client, this.#database))
    return [...ways, ...(await this.#database.read(stack, contradictions))]
  }

  /** Runs outside any transaction with the login's own rights, because the role owns nothing. */
  #outside<T>(work: (client: PgClient) => Promise<T>): Promise<T> {
    this.#assertOpen()
    return this.#database.patiently(async () => {
      const client = await this.#database.borrow()
      try {
        const result = await work(client)
        client.release('fit')
        return result
      } catch (cause) {
        client.release('broken')
        throw cause
      }
    })
  }

  receiptsFor(stack: StackId): Receipts {
    return new PostgresReceipts(this.#database, stack)
  }

  /** Waits for running writes. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await Promise.all([...this.#turns.values()].map((turns) => turns.idle()))
    await this.#servers.close()
  }

  /** The mark identifies the commit; null when a repeat does no harm. */
  #write<T>(
    stack: StackId,
    mark: string | null,
    work: (connection: Connection) => Promise<Written<T>>,
  ): Promise<T> {
    return this.#inTurn(stack, () => this.#writeOnce(stack, mark, work))
  }

  /**
   * Writers of one process to one stack take turns, so only one of them waits for other processes.
   */
  async #inTurn<T>(stack: StackId, once: () => Promise<T>): Promise<T> {
    this.#assertOpen()
    let turns = this.#turns.get(stack)
    if (!turns) {
      turns = new Turns()
      this.#turns.set(stack, turns)
    }
    return turns.take(() => this.#database.patiently(once))
  }

  async #writeOnce<T>(
    stack: StackId,
    mark: string | null,
    work: (connection: Connection) => Promise<Written<T>>,
  ): Promise<T> {
    const client = await this.#database.borrow('write')
    const begun = this.#database.begin(client, stack)
    const connection = this.#database.seeing(client, stack)
    let written: Written<T>
    try {
      written = await work(connection)
      await begun
    } catch (cause) {
      const first = await firstOf(begun, connection, cause)
      await giveUp(client, first)
      throw first
    }
    const { result, keep } = written
    if (!keep) await giveUp(client, null)
    else if (!(await this.#keep(client, stack, mark))) throw new NotKept('Connection terminated')
    return result
  }

  /** False when the commit certainly failed; after a lost answer the database is asked. */
  async #keep(client: PgClient, stack: StackId, mark: string | null): Promise<boolean> {
    try {
      await client.exec('COMMIT')
      client.release('fit')
      return true
    } catch (cause) {
      client.release('broken')
      if (!isLost(cause)) throw cause
      return mark === null ? false : this.#database.wasKept(stack, mark)
    }
  }

  #keysOf(stack: StackId): Keys {
    let keys = this.#keys.get(stack)
    if (!keys) {
      keys = new Map()
      this.#keys.set(stack, keys)
    }
    return keys
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new MunimentError('store_unavailable', 'The store is closed.')
  }
}

const pendingIn = async (connection: Connection): Promise<readonly number[]> => {
  const pending = await readFrom(connection, { type: 'table', name: 'scrubs' })
  return pending as Answer<{ type: 'table'; name: 'scrubs' }> // the query says so
}

/** Rolls back; a connection that cannot roll back is closed. */
async function giveUp(client: PgClient, cause: unknown): Promise<void> {
  if (isLost(cause)) {
    client.release('broken')
    return
  }
  await client.exec('ROLLBACK').then(
    () => client.release('fit'),
    () => client.release('broken'),
  )
}
