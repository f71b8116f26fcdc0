import { MunimentError } from '../../domain/errors.ts'
import type { StackId } from '../../domain/ids.ts'
import type { Head } from '../../domain/waist.ts'
import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import { isLost } from './faults.ts'
import { sent } from './sent.ts'

const REACHED = 'SELECT s.rev FROM stacks s WHERE s.stack_id = $1'

/** How far a stack has come, where it is asked. */
export const reachedIn = (connection: Connection): Promise<number> =>
  sent(connection.row(REACHED).then((row) => Number(row?.[0] ?? 0)))

/** It has not come as far as was seen: nothing is wrong, and somebody else answers. */
class Behind extends Error {}

/**
 * A server that follows another one at some distance. It answers for a stack where it knows the last
 * head that was seen here: nobody misses what he wrote or read before.
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

  /** What is read anywhere has been seen. How far it is goes along with the question, and is of its moment. */
  async noting<T>(
    connection: Connection,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const reached = reachedIn(connection)
    const answer = await work(connection)
    this.saw(connection.stack, { rev: await reached })
    return answer
  }

  /** Null where it is behind, or gone. */
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
