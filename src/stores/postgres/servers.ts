import { MunimentError } from '../../domain/errors.ts'
import type { StackId } from '../../domain/ids.ts'
import type { Head } from '../../domain/waist.ts'
import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import { sent } from './drivers.ts'
import { isLost } from './faults.ts'

const REACHED = 'SELECT s.rev FROM stacks s WHERE s.stack_id = $1'

/** The last revision of the stack on this server. */
const reachedIn = (connection: Connection): Promise<number> =>
  sent(connection.row(REACHED).then((row) => Number(row?.[0] ?? 0)))

/** The replica is behind the last revision seen here: no fault, another server answers. */
class Behind extends Error {}

/**
 * A follower of another server. The replica answers for a stack only with the last head seen here,
 * so no caller misses its own writes or reads.
 */
class Replica {
  readonly #database: Database
  readonly #seen = new Map<StackId, number>()

  constructor(database: Database) {
    this.#database = database
  }

  saw(stack: StackId, { rev }: Pick<Head, 'rev'>): void {
    this.#seen.set(stack, Math.max(rev, this.#seen.get(stack) ?? 0))
  }

  /** Notes the revision of every read. The revision is read in the same moment as the answer. */
  async noting<T>(
    connection: Connection,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const reached = reachedIn(connection)
    const answer = await work(connection)
    this.saw(connection.stack, { rev: await reached })
    return answer
  }

  /** Null when the replica is behind or lost. */
  async read<T>(
    stack: StackId,
    work: (connection: Connection) => Promise<T>,
  ): Promise<{ readonly answer: T } | null> {
    try {
      const answer = await this.#database.read(stack, async (connection) => {
        const rev = await reachedIn(connection)
        if (rev < (this.#seen.get(stack) ?? 0)) throw new Behind()
        const found = await work(connection)
        this.saw(stack, { rev })
        return found
      })
      return { answer }
    } catch (cause) {
      const isGone = cause instanceof MunimentError && cause.code === 'store_unavailable'
      if (cause instanceof Behind || isLost(cause) || isGone) return null
      throw cause
    }
  }

  async close(): Promise<void> {
    await this.#database.close()
  }
}

type Work<T> = (connection: Connection) => Promise<T>

/** Chooses the server for reads: an up-to-date replica, or else the first server. */
export class Servers {
  readonly #first: Database
  readonly #replica: Replica | null

  constructor(first: Database, replica: Database | null) {
    this.#first = first
    this.#replica = replica && new Replica(replica)
  }

  saw(stack: StackId, head: Head): void {
    this.#replica?.saw(stack, head)
  }

  async read<T>(stack: StackId, work: Work<T>): Promise<T> {
    const near = await this.#replica?.read(stack, work)
    return near ? near.answer : this.#readFirst(stack, work)
  }

  #readFirst<T>(stack: StackId, work: Work<T>): Promise<T> {
    return this.#first.read(stack, (connection) => this.noting(connection, work))
  }

  noting<T>(connection: Connection, work: Work<T>): Promise<T> {
    return this.#replica ? this.#replica.noting(connection, work) : work(connection)
  }

  /** `read` notes the revision of the answering server, so later reads show this head too. */
  async reach(stack: StackId, { rev }: Pick<Head, 'rev'>): Promise<void> {
    if ((await this.read(stack, reachedIn)) >= rev) return
    const reached = await this.#readFirst(stack, reachedIn)
    if (reached >= rev) return
    throw new MunimentError('store_unavailable', 'The stack has not come as far as that head.', {
      hint: 'The server may have lost its last commits, or the head is of another stack.',
      facts: { rev, reached },
    })
  }

  async close(): Promise<void> {
    await this.#first.close()
    await this.#replica?.close()
  }
}

/**
 * Equal questions in one turn of the event loop share one answer. The query is sent after the turn,
 * so each caller sees all earlier commits.
 */
export class Shared<Answer> {
  readonly #waiting = new Map<string, Promise<Answer>>()

  share(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const waiting = this.#waiting.get(question)
    if (waiting) return waiting
    const asked = new Promise<void>((resolve) => {
      setImmediate(resolve)
    }).then(() => {
      this.#waiting.delete(question)
      return ask()
    })
    this.#waiting.set(question, asked)
    return asked
  }
}
