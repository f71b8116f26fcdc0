import { MunimentError } from '../../domain/errors.ts'
import type { StackId } from '../../domain/ids.ts'
import type { Head } from '../../domain/waist.ts'
import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import { Replica, reachedIn } from './replica.ts'

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
