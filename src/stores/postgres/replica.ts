import { MunimentError } from '../../domain/errors.ts'
import type { StackId } from '../../domain/ids.ts'
import type { Head } from '../../domain/waist.ts'
import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import { isLost } from './faults.ts'
import { sent } from './sent.ts'

const REACHED = 'SELECT s.rev FROM stacks s WHERE s.stack_id = $1'

/** The last revision of the stack on this server. */
export const reachedIn = (connection: Connection): Promise<number> =>
  sent(connection.row(REACHED).then((row) => Number(row?.[0] ?? 0)))

/** The replica is behind the last revision seen here: no fault, another server answers. */
class Behind extends Error {}

/**
 * A follower of another server. The replica answers for a stack only with the last head seen here,
 * so no caller misses its own writes or reads.
 */
export class Replica {
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
