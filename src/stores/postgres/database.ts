import { MunimentError } from '../../domain/errors.ts'
import type { StackId } from '../../domain/ids.ts'
import { Connection, type StackCache } from './connection.ts'
import { type PgClient, type PgDriver, sent } from './drivers.ts'
import { faultOf, isCrossed, isLost, schemaNewer, schemaOlder } from './faults.ts'
import { migrate, versionOf } from './migrate.ts'
import { MIGRATIONS, type SchemaOptions } from './schema.ts'

/**
 * Leases of connections. Writers may wait for each other while holding connections, so one
 * connection stays reserved for readers, who never wait for a writer.
 */
class Leases {
  readonly #driver: PgDriver
  readonly #writersMax: number
  readonly #waiting: (() => void)[] = []
  #writers = 0
  #out = 0
  #idle: (() => void)[] = []

  constructor(driver: PgDriver) {
    this.#driver = driver
    this.#writersMax = Math.max(1, driver.size - 1)
  }

  async take(mode: 'read' | 'write'): Promise<PgClient> {
    if (mode === 'write') await this.#turn()
    this.#out += 1
    const back = (): void => {
      this.#out -= 1
      if (mode === 'write') this.#next()
      if (this.#out > 0) return
      for (const tell of this.#idle) tell()
      this.#idle = []
    }
    try {
      return returning(await this.#driver.connect(), back)
    } catch (cause) {
      back()
      throw cause
    }
  }

  #turn(): Promise<void> | void {
    if (this.#writers < this.#writersMax) {
      this.#writers += 1
      return
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  /** The next lease goes to the longest waiter. */
  #next(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#writers -= 1
  }

  /** Settles when all connections are returned. */
  async idle(): Promise<void> {
    if (this.#out === 0) return
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve)
    })
  }
}

/** Returned once, by the first caller. */
function returning(client: PgClient, back: () => void): PgClient {
  let isOut = true
  const once = (letGo: () => void): void => {
    if (!isOut) return
    isOut = false
    letGo()
    back()
  }
  return {
    query: (sql, values) => client.query(sql, values),
    exec: (sql) => client.exec(sql),
    leave: (end) => once(() => client.leave(end)),
    release: (state) => once(() => client.release(state)),
  }
}

interface DatabaseOptions extends SchemaOptions {
  /** Time limits for a statement, and for a writer waiting for another writer's lock. */
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  /** The time for retries after a lost connection. */
  readonly retryMs: number
  /** True when the first user prepares an unprepared database. */
  readonly migrates: boolean
}

/** `change` waits for no writer; `write` takes the lock of its stack. */
type Mode = 'read' | 'change' | 'write'

/** Rows are looked up by their keys, few at a time: no plan is worth compiling. */
const PLANNING: readonly (readonly [string, string])[] = [
  ['enable_seqscan', 'off'],
  ['jit', 'off'],
]

const MARKED = 'SELECT position(? IN s.commit_marks) FROM stacks s WHERE s.stack_id = $1'

export const MARK_CHARS = 36
const MARK_NUMBER_CHARS = 12

const EVERY_STACK = '*' // no stack has this name

const DELAY_MS_MIN = 20
const DELAY_MS_MAX = 1_000

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** Connections to one database, each borrowed for one transaction. */
export class Database {
  readonly #driver: PgDriver
  readonly #options: DatabaseOptions
  readonly #leases: Leases
  readonly #known = new Map<StackId, StackCache>()
  #prepared: Promise<void> | null = null
  /**
   * The prefix of this process's marks: drawn by the server, so that no two processes share a
   * prefix.
   */
  #marks = ''
  #marked = 0

  get schema(): string {
    return this.#options.schema
  }

  get role(): string {
    return this.#options.role
  }

  constructor(driver: PgDriver, options: DatabaseOptions) {
    this.#driver = driver
    this.#options = options
    this.#leases = new Leases(driver)
  }

  /** A private connection without a transaction. */
  async borrow(mode: 'read' | 'write' = 'read'): Promise<PgClient> {
    await this.#prepare()
    return this.#leases.take(mode)
  }

  /** Reads at one moment, and starts over when the connection is lost. */
  read<T>(stack: StackId, work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.patiently(async () => {
      const client = await this.borrow()
      const begun = sent(client.exec(this.#beginning(stack, 'read')))
      return this.#ended(this.seeing(client, stack), begun, work)
    })
  }

  /** Changes data outside the ledger that needs no order with the ledger: no lock is taken. */
  change(stack: StackId, work: (connection: Connection) => Promise<void>): Promise<void> {
    return this.patiently(async () => {
      const client = await this.borrow()
      const connection = this.seeing(client, stack)
      const begun = sent(client.exec(this.#beginning(stack, 'change')))
      try {
        await work(connection)
        await begun
        await client.exec('COMMIT')
        client.release('fit')
      } catch (cause) {
        client.release('broken')
        throw await firstOf(begun, connection, cause)
      }
    })
  }

  /** The names of all stacks visible to this login. */
  names(): Promise<readonly string[]> {
    return this.patiently(async () => {
      const client = await this.borrow()
      try {
        await client.exec(this.#beginning(EVERY_STACK, 'read'))
        const rows = await client.query('SELECT stack_id FROM stacks ORDER BY stack_id', [])
        client.leave('COMMIT')
        return rows.map(([name]) => String(name))
      } catch (cause) {
        client.release('broken')
        throw cause
      }
    })
  }

  /** Statements sent before the transaction is known to have begun fail when it has not. */
  async #ended<T>(
    connection: Connection,
    begun: Promise<void>,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const { client } = connection
    let answer: T
    try {
      answer = await work(connection)
      await begun
    } catch (cause) {
      const first = await firstOf(begun, connection, cause)
      if (isLost(first)) client.release('broken')
      else client.leave('ROLLBACK')
      throw first
    }
    client.leave('COMMIT')
    return answer
  }

  /** One moment for the whole transaction, for any stack. */
  async standStill(client: PgClient): Promise<void> {
    await client.exec(this.#beginning(null, 'read'))
  }

  /** From here on the transaction sees this stack. */
  async turnTo(client: PgClient, stack: StackId): Promise<Connection> {
    await client.exec(`SELECT set_config('muniment.stack', '${stack}', true)`)
    return this.seeing(client, stack)
  }

  /** Begins to write and takes the lock of the stack; a failure here has written nothing. */
  begin(client: PgClient, stack: StackId): Promise<void> {
    return sent(client.exec(this.#beginning(stack, 'write')))
  }

  seeing(client: PgClient, stack: StackId): Connection {
    let known = this.#known.get(stack)
    if (!known) {
      known = { policies: new Map(), tallyWindowMs: null, whole: null }
      this.#known.set(stack, known)
    }
    return new Connection(client, stack, known)
  }

  /**
   * Settings hold for one transaction, so a pooler may hand its connections to any client. Names
   * were parsed and need no quoting. Plans are made per stack, so they touch only its partition.
   */
  #beginning(stack: StackId | typeof EVERY_STACK | null, mode: Mode): string {
    const { role, schema, statementTimeoutMs, lockTimeoutMs } = this.#options
    const settings: readonly (readonly [string, string])[] = [
      ['role', role],
      ['search_path', schema],
      ['muniment.stack', stack ?? ''],
      ['statement_timeout', String(statementTimeoutMs)],
      ['lock_timeout', String(lockTimeoutMs)],
      ['plan_cache_mode', mode === 'write' ? 'auto' : 'force_custom_plan'],
      ...PLANNING,
    ]
    const set = settings.map(([name, value]) => `set_config('${name}', '${value}', true)`).join()
    if (mode === 'read') return `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT ${set}`
    const lock = `; SELECT pg_advisory_xact_lock(hashtextextended('${stack}', 0))`
    return `BEGIN; SELECT ${set}${mode === 'write' ? lock : ''}`
  }

  /** Tries again while the connection is lost or another transaction was crossed. */
  async patiently<T>(work: () => Promise<T>): Promise<T> {
    const { retryMs } = this.#options
    let waitedMs = 0
    for (let delayMs = DELAY_MS_MIN; ; delayMs = Math.min(delayMs * 2, DELAY_MS_MAX)) {
      try {
        return await work()
      } catch (cause) {
        const isWorthIt = isLost(cause) || isCrossed(cause)
        if (!isWorthIt || waitedMs >= retryMs) throw faultOf(cause)
      }
      await pause(delayMs)
      waitedMs += delayMs
    }
  }

  /** A new mark, by which one commit is recognised. */
  async nextMark(): Promise<string> {
    await this.#prepare()
    this.#marked += 1
    return `${this.#marks}-${this.#marked.toString(16).padStart(MARK_NUMBER_CHARS, '0')}`
  }

  /** Looks for a mark without waiting for a lock. */
  async isMarked(connection: Connection, mark: string): Promise<boolean> {
    const [found] = (await connection.row(MARKED, mark)) ?? []
    return Number(found ?? 0) > 0
  }

  /**
   * True when a commit with a lost answer was kept. Under the lock the commit has ended either way.
   */
  wasKept(stack: StackId, mark: string): Promise<boolean> {
    return this.patiently(async () => {
      const client = await this.borrow('write')
      try {
        await this.begin(client, stack)
        const isKept = await this.isMarked(this.seeing(client, stack), mark)
        client.leave('ROLLBACK')
        return isKept
      } catch (cause) {
        client.release('broken')
        throw cause
      }
    })
  }

  /** Looked at once, by whoever comes first. */
  #prepare(): Promise<void> {
    this.#prepared ??= this.patiently(() => this.#assertVersion()).catch((cause: unknown) => {
      this.#prepared = null
      throw cause
    })
    return this.#prepared
  }

  async #assertVersion(): Promise<void> {
    const { schema, migrates } = this.#options
    const client = await this.#leases.take('read')
    try {
      const known = MIGRATIONS.length
      const found = await versionOf(client, schema)
      if (found > known) throw schemaNewer(found, known)
      if (found < known && !migrates) throw schemaOlder(found, known)
      if (found < known) await migrate(client, this.#options)
      const [drawn] = await client.query('SELECT gen_random_uuid()::text', [])
      this.#marks = String(drawn?.[0]).slice(0, MARK_CHARS - MARK_NUMBER_CHARS - 1)
      client.release('fit')
    } catch (cause) {
      client.release(cause instanceof MunimentError ? 'fit' : 'broken')
      throw cause
    }
  }

  /** Waits until all connections are returned. */
  async close(): Promise<void> {
    await this.#leases.idle()
    await this.#driver.close()
  }
}

/** The first failure: at the begin, in the work, or at the end. */
export const firstOf = (
  begun: Promise<void>,
  connection: Connection,
  cause: unknown,
): Promise<unknown> =>
  begun.then(
    () => connection.firstCause(cause),
    (earlier: unknown) => earlier,
  )
