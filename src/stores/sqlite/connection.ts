import type { DatabaseSync } from 'node:sqlite'
import { MunimentError, ScopeError } from '../../domain/errors.ts'
import type { Hash, StackId } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import type { Head } from '../../domain/waist.ts'
import { type SqlRow, type SqlValue, type Steps, selected } from '../sql/dialect.ts'
import {
  policyOf,
  STATE_COLUMNS,
  type Standing,
  standingOf,
  TIP_COLUMNS,
  type Untrusted,
} from '../sql/entry-rows.ts'
import { SQLITE } from './dialect.ts'
import { isBusy } from './faults.ts'
import type { KnownLines } from './known-lines.ts'

export interface SqlStatement {
  run(...values: readonly SqlValue[]): number
  get(...values: readonly SqlValue[]): SqlRow | undefined
  all(...values: readonly SqlValue[]): readonly SqlRow[]
  iterate(...values: readonly SqlValue[]): Iterable<SqlRow>
}

export interface SqlDatabase {
  exec(sql: string): void
  prepare(sql: string): SqlStatement
  /** Copies the database while others use it; absent when the driver cannot. */
  backup?(toPath: string): Promise<void>
  close(): void
}

/** The store's whole interface to a SQLite library; better-sqlite3 could implement it. */
export interface SqlDriver {
  open(path: string, options: { readonly readOnly: boolean }): SqlDatabase
}

type NodeSqlite = typeof import('node:sqlite')
type Values = (null | number | bigint | string | NodeJS.ArrayBufferView)[]

/**
 * The SQLite inside Node. Loaded with the first file, because loading takes time and prints a
 * warning.
 */
export const nodeDriver: SqlDriver = {
  open(path, { readOnly }) {
    const sqlite = nodeSqlite()
    const database = new sqlite.DatabaseSync(path, { readOnly })
    return {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => statementOf(database, sql),
      ...(typeof sqlite.backup === 'function' ? { backup: backupOf(sqlite, database) } : {}),
      close: () => database.close(),
    }
  },
}

const PAGES_AT_ONCE = 2 ** 30 // all of them: a copy made in parts starts anew after every commit

const backupOf = (sqlite: NodeSqlite, database: DatabaseSync) => async (toPath: string) => {
  await sqlite.backup(database, toPath, { rate: PAGES_AT_ONCE })
}

function statementOf(database: DatabaseSync, numbered: string): SqlStatement {
  const { sql, places } = withoutNumbers(numbered)
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  const given = (values: readonly SqlValue[]) =>
    (places ? places.map((place) => values[place] ?? null) : values) as Values // a Uint8Array is a view
  const rows = (found: unknown) => found as readonly SqlRow[] // arrays, as set above
  return {
    run: (...values) => Number(statement.run(...given(values)).changes),
    get: (...values) => statement.get(...given(values)) as SqlRow | undefined, // an array, as set above
    all: (...values) => rows(statement.all(...given(values))),
    *iterate(...values) {
      yield* statement.iterate(...given(values)) as Iterable<unknown> as Iterable<SqlRow> // arrays, as set above
    },
  }
}

/**
 * Node before 22.20 binds no value to a numbered placeholder, so each becomes a plain one. Returns
 * the index of the value for each place; null for a statement without numbers.
 */
export function withoutNumbers(sql: string): {
  readonly sql: string
  readonly places: readonly number[] | null
} {
  if (!/\?\d/.test(sql)) return { sql, places: null }
  const places: number[] = []
  let highest = 0
  const plain = sql.replace(/'(?:[^']|'')*'|\?(\d*)/g, (text, digits?: string) => {
    if (digits === undefined) return text // a literal
    const number = digits === '' ? highest + 1 : Number(digits)
    highest = Math.max(highest, number)
    places.push(number - 1)
    return '?'
  })
  return { sql: plain, places }
}

let loaded: NodeSqlite | null = null

/** Silences the warning of `node:sqlite` on Node 22, and no other warning. */
function nodeSqlite(): NodeSqlite {
  if (loaded) return loaded
  const emitWarning = process.emitWarning
  process.emitWarning = ((...given: Parameters<typeof emitWarning>) => {
    if (!String(given[0]).startsWith('SQLite is an experimental feature')) emitWarning(...given)
  }) as typeof emitWarning // overloads of the same function, passed on as they came
  try {
    loaded = process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
  if (loaded) return loaded
  throw new MunimentError(
    'store_unavailable',
    'Muniment needs Node 22.16 or later, for its SQLite.',
    {
      hint: `This is Node ${process.versions.node}.`,
    },
  )
}

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

/** Settles once the event loop has come round. */
export const nextRound = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

const DELAY_MS_MAX = 8 // longest pause between two tries; a commit takes about as long

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** Tries again while another process holds the lock. The wait leaves the event loop free. */
export async function patiently<T>(waitMsMax: number, work: () => T): Promise<T> {
  let waitedMs = 0
  for (let delayMs = 1; ; delayMs = Math.min(delayMs + 1, DELAY_MS_MAX)) {
    try {
      return work()
    } catch (cause) {
      if (!isBusy(cause) || waitedMs >= waitMsMax) throw cause
      await pause(delayMs)
      waitedMs += delayMs
    }
  }
}
