import { MunimentError } from '../../domain/errors.ts'
import { fromStored, toStored } from './dialect.ts'

/** Values between the store and a driver; 64-bit integers are numbers. */
export type PgValue = null | number | string | Uint8Array

/** Values in the order of the columns. */
export type PgRow = readonly PgValue[]

/** One connection while borrowed. Statements run in the order of sending. */
export interface PgClient {
  query(sql: string, values: readonly PgValue[]): Promise<readonly PgRow[]>
  /** Statements without values, in order; their answers are not read. */
  exec(sql: string): Promise<void>
  /**
   * Ends a transaction without writes and returns the connection, before the answer if the driver
   * can: the next holder sends its statements in the same packet.
   */
  leave(end: 'COMMIT' | 'ROLLBACK'): void
  /** Returns the connection; a broken or busy connection is closed. */
  release(state: 'fit' | 'broken'): void
}

/** The store's whole interface to a PostgreSQL library. */
export interface PgDriver {
  /** The number of connections that can be held at once. */
  readonly size: number
  connect(): Promise<PgClient>
  close(): Promise<void>
}

/** The used part of `pg`; any pool of this shape fits. */
export interface PoolLike {
  connect(): Promise<PoolClientLike>
  end(): Promise<void>
  readonly options?: { readonly max?: number | undefined }
}

export interface PoolClientLike {
  query(config: object): Promise<unknown>
  release(error?: Error | boolean): void
  /** True when statements may be sent before earlier answers arrive. */
  readonly pipeline?: boolean
  readonly connection?: { readonly stream?: Partial<Corkable> }
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
}

interface Corkable {
  cork(): void
  uncork(): void
}

interface ConnectOptions {
  readonly connectionString: string
  readonly poolSize: number
  readonly connectTimeoutMs: number
  /** As in `pg`; by default the connection string decides (`sslmode=…`). */
  readonly ssl?: boolean | object
}

const POOL_SIZE_USUAL = 10 // the default of pg

/** A pool of `pg`, made when the first connection is asked for. */
export function connecting(options: ConnectOptions, prepare: boolean): PgDriver {
  let made: Promise<PgDriver> | null = null
  const driver = (): Promise<PgDriver> => {
    made ??= makePool(options).then((pool) => pooling(pool, prepare, 'own'))
    return made
  }
  return {
    size: options.poolSize,
    connect: async () => (await driver()).connect(),
    close: async () => {
      if (made !== null) await (await made).close()
    },
  }
}

async function makePool(options: ConnectOptions): Promise<PoolLike> {
  const { connectionString, poolSize, connectTimeoutMs, ssl } = options
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw new MunimentError('store_unavailable', 'The package pg is not installed.', {
      hint: 'npm install pg',
      cause,
    })
  })
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'muniment',
    keepAlive: true,
    // Statements are sent without waiting for earlier answers.
    ...{ pipeline: true },
    ...(ssl === undefined ? {} : { ssl }),
  })
  // The pool replaces an idle connection that breaks.
  pool.on('error', () => undefined)
  return pool
}

/** A driver over a pool; the driver ends the pool only when it is `own`. */
export function pooling(pool: PoolLike, prepare: boolean, whose: 'own' | 'given'): PgDriver {
  return {
    size: pool.options?.max ?? POOL_SIZE_USUAL,
    connect: async () => clientOf(await pool.connect(), prepare),
    close: async () => {
      if (whose === 'own') await pool.end()
    },
  }
}

function clientOf(client: PoolClientLike, prepare: boolean): PgClient {
  // The failing statement reports the error; without a listener the process would end.
  const ignore = (): void => undefined
  client.on('error', ignore)
  const send = client.pipeline ? together(client) : inTurn(client)
  const giveBack = (state: 'fit' | 'broken'): void => {
    client.removeListener('error', ignore)
    client.release(state === 'broken')
  }
  return {
    query: async (text, values) => {
      const named = prepare ? { name: nameOf(text) } : {}
      const given = values.map((value) => (typeof value === 'string' ? toStored(value) : value))
      const asked = { ...named, text, values: given, rowMode: 'array', types: TYPES }
      const { rows } = (await send(asked)) as { rows: readonly PgRow[] } // a single statement
      return rows
    },
    exec: async (text) => {
      await send({ text })
    },
    leave: (end) => {
      const ended = send({ text: end })
      if (client.pipeline) {
        // On failure the connection is lost, and the next holder's statement fails.
        ended.catch(ignore)
        giveBack('fit')
      } else {
        ended.then(
          () => giveBack('fit'),
          () => giveBack('broken'),
        )
      }
    },
    release: giveBack,
  }
}

/**
 * Statements of one turn of the event loop are sent together, because each packet wakes the server.
 */
function together(client: PoolClientLike): PoolClientLike['query'] {
  const stream = client.connection?.stream
  let isHeld = false
  return (config) => {
    if (!isHeld && stream?.cork && stream.uncork) {
      isHeld = true
      stream.cork()
      setImmediate(() => {
        isHeld = false
        stream.uncork?.()
      })
    }
    return client.query(config)
  }
}

/** Runs statements one at a time, each after the previous answer. */
function inTurn(client: PoolClientLike): PoolClientLike['query'] {
  let last: Promise<unknown> = Promise.resolve()
  return (config) => {
    const mine = last.then(() => client.query(config))
    last = mine.catch(() => undefined)
    return mine
  }
}

const names = new Map<string, string>()

/** Short, because every call sends the name. */
function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `muniment_${names.size}`
    names.set(text, name)
  }
  return name
}

// Type numbers of PostgreSQL's catalogue, which never change.
const BYTEA = 17
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 701]) // int8, int2, int4, float8
const HEX_FROM = 2 // behind `\x`

const TYPES = {
  getTypeParser: (oid: number) => {
    if (NUMBERS.has(oid)) return Number
    if (oid === BYTEA) return bytesIn
    return fromStored
  },
}

const bytesIn = (text: string): PgValue => Buffer.from(text.slice(HEX_FROM), 'hex')

/** The used part of PGlite: PostgreSQL inside the process, with one connection. */
export interface PgliteLike {
  query(
    sql: string,
    values: unknown[],
    options: { rowMode: 'array'; parsers: Record<number, (text: string) => unknown> },
  ): Promise<{ rows: unknown[] }>
  exec(sql: string): Promise<unknown>
}

const INT8 = 20
const TEXT = 25
const VARCHAR = 1043
const PARSERS = { [INT8]: Number, [TEXT]: fromStored, [VARCHAR]: fromStored }

/** The owner of the database closes it. Holders of its one connection take turns. */
export function pgliteDriver(db: PgliteLike): PgDriver {
  let last: Promise<void> = Promise.resolve()
  const client = (release: () => void): PgClient => ({
    query: async (sql, values) => {
      const given = values.map((value) => (typeof value === 'string' ? toStored(value) : value))
      const { rows } = await db.query(sql, given, { rowMode: 'array', parsers: PARSERS })
      return rows as readonly PgRow[] // arrays, as asked
    },
    exec: async (sql) => {
      await db.exec(sql)
    },
    leave: (end) => {
      db.exec(end).then(release, release)
    },
    release: (state) => {
      // There is no second connection, so an unfinished transaction is rolled back.
      const undone = state === 'fit' ? Promise.resolve() : db.exec('ROLLBACK')
      undone.then(release, release)
    },
  })
  return {
    size: 1,
    connect: async () => {
      const before = last
      let release = (): void => undefined
      last = new Promise((resolve) => {
        release = resolve
      })
      await before
      return client(release)
    },
    close: async () => last,
  }
}

/** Marks a promise as handled, because its failure is read later. */
export function sent<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}
