import { ScopeError } from '../../domain/errors.ts'
import type { Hash, StackId } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import type { Head } from '../../domain/waist.ts'
import { selected } from '../sql/columns.ts'
import { policyOf } from '../sql/policy.ts'
import {
  STATE_COLUMNS,
  type Standing,
  standingOf,
  TIP_COLUMNS,
  type Untrusted,
} from '../sql/rows.ts'
import type { Steps } from '../sql/steps.ts'
import { SQLITE } from './dialect.ts'
import type { SqlDatabase, SqlStatement } from './driver.ts'
import type { KnownLines } from './known-lines.ts'

/** One open database with its prepared statements and its policies. */
export class Connection {
  readonly path: string
  readonly db: SqlDatabase
  readonly #statements = new Map<string, SqlStatement>()
  readonly #policies = new Map<Hash, Policy>()
  readonly #isChanged: () => boolean
  #known: KnownLines | null = null
  #isInTransaction = false
  #hasUncommitted = false
  #owner: string | null = null

  constructor(path: string, db: SqlDatabase, isChanged: () => boolean = () => false) {
    this.path = path
    this.db = db
    this.#isChanged = isChanged
  }

  /** True when a file opened as immutable was written by another process. */
  get isChanged(): boolean {
    return this.#isChanged()
  }

  /** Shares the cache of long timelines; a connection fixed at one moment does not share. */
  share(known: KnownLines): void {
    this.#known = known
  }

  /**
   * The cache of timelines; null during a transaction, because uncommitted rows must not enter the
   * cache.
   */
  get known(): KnownLines | null {
    return this.#hasUncommitted ? null : this.#known
  }

  get isInTransaction(): boolean {
    return this.#isInTransaction
  }

  /** True when a batch was written but not yet committed. */
  get hasUncommitted(): boolean {
    return this.#hasUncommitted
  }

  noteWritten(): void {
    this.#hasUncommitted = true
  }

  /**
   * Prepared once per connection. A limit is written `LIMIT +?`: the planner reads a bare `?` and
   * would plan anew for each value.
   */
  prepare(sql: string): SqlStatement {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.db.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  /** Runs all statements of a query; the caller makes them see one moment. */
  run<T>(steps: Steps<T>): T {
    let step = steps.next()
    while (!step.done) {
      step = steps.next(step.value.map(({ sql, values }) => this.prepare(sql).all(...values)))
    }
    return step.value
  }

  begin(mode: 'DEFERRED' | 'IMMEDIATE'): void {
    this.prepare(`BEGIN ${mode}`).run()
    this.#isInTransaction = true
  }

  /** Fixes all later reads at one moment; SQLite starts the moment at the first read. */
  standStill(): void {
    this.begin('DEFERRED')
    this.prepare(STANDING).get()
  }

  commit(): void {
    this.prepare('COMMIT').run()
    this.#isInTransaction = false
    this.#hasUncommitted = false
  }

  /** Some errors have rolled back already; then there is nothing left to do. */
  rollback(): void {
    if (!this.#isInTransaction) return
    this.#isInTransaction = false
    this.#hasUncommitted = false
    try {
      this.prepare('ROLLBACK').run()
    } catch (cause) {
      if (!/no transaction is active/.test(String(cause))) throw cause
    }
  }

  /** Runs all reads of `work` at one moment. */
  atOnce<T>(work: () => T): T {
    if (this.#isInTransaction) return work()
    this.begin('DEFERRED')
    try {
      return work()
    } finally {
      this.rollback()
    }
  }

  /** The head alone, without the other counters the gate reads. */
  head(): Head {
    const [seq = -1, hash = '', rev = 0] = this.prepare(HEAD).get() ?? []
    return { seq, hash, rev } as Untrusted<Head>
  }

  standing(stack: StackId): Standing {
    const standing = standingOf(this.prepare(STANDING).get())
    this.#owner = standing.owner
    this.#assertOwner(stack)
    return standing
  }

  /** A file holds one stack and refuses all others (SCOPE-BOUND). */
  answersFor(stack: StackId): void {
    if (this.#owner === null) this.standing(stack)
    else this.#assertOwner(stack)
  }

  #assertOwner(stack: StackId): void {
    if (this.#owner === null || this.#owner === stack) return
    throw new ScopeError(`This file holds the stack “${this.#owner}”, not “${stack}”.`, {
      hint: `Every stack has a file of its own. Name the stack of this file: --stack ${this.#owner}`,
      facts: { stack, holds: this.#owner },
    })
  }

  policy(hash: Hash | null): Policy | null {
    return this.run(policyOf(SQLITE, this.#policies, hash))
  }

  close(): void {
    this.#statements.clear()
    this.db.close()
  }
}

/** One row after the first write, none before. */
export const STANDING = `
  SELECT ${selected(SQLITE, TIP_COLUMNS.slice(1), 't')}, ${selected(SQLITE, STATE_COLUMNS.slice(1), 's')}
  FROM tip t LEFT JOIN stack_state s ON s.one = t.one`

const HEAD = 'SELECT seq, lower(hex(hash)), rev FROM tip'
