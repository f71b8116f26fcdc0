import { MunimentError } from '../../domain/errors.ts'
import { Database } from './database.ts'
import { connecting, type PgDriver, type PoolLike, pooling } from './drivers.ts'
import { faultOf } from './faults.ts'
import { type Migration, migrate, planned } from './migrate.ts'
import { PostgresStore } from './store.ts'

const NAME = /^[a-z_][a-z0-9_]{0,62}$/

/** A name that needs no quoting in statements; other names are refused. */
export function parseName(text: string, field: 'schema' | 'role'): string {
  if (NAME.test(text)) return text
  throw new MunimentError('invalid_input', `“${text}” cannot be the ${field}.`, {
    issues: [{ path: field, message: 'small letters, digits and underscores only, at most 63' }],
  })
}

export type { Damage } from './check.ts'
export type { PgClient, PgDriver, PgRow, PgValue, PoolClientLike, PoolLike } from './drivers.ts'
export { type PgliteLike, pgliteDriver } from './drivers.ts'
export type { Migration } from './migrate.ts'
export type { PostgresStore } from './store.ts'

/** The database: an address, an existing pool of `pg`, or another driver. */
export interface PostgresOptions {
  /** `postgres://user:password@host/database?sslmode=verify-full`. Needs the package `pg`. */
  readonly connectionString?: string
  /** An existing pool of `pg`; its owner ends the pool. */
  readonly pool?: PoolLike
  readonly driver?: PgDriver
  /** A follower of the first server; reads use the replica once it has all commits seen here. */
  readonly replica?: Pick<PostgresOptions, 'connectionString' | 'pool' | 'driver' | 'ssl'>
  readonly schema?: string
  /** The role for work with stacks: without other rights, and this login must be a member. */
  readonly role?: string
  /** The number of connections in a pool made here. One connection is reserved for readers. */
  readonly poolSize?: number
  /** As in `pg`; by default the address decides. */
  readonly ssl?: boolean | object
  readonly connectTimeoutMs?: number
  readonly statementTimeoutMs?: number
  /** The time a writer waits for other writers of the stack, before `store_busy`. */
  readonly lockTimeoutMs?: number
  /** The time for retries after a lost connection, before `store_unavailable`. */
  readonly retryMs?: number
  /** Off where a database may only be prepared by `muniment stack migrate`. */
  readonly migrates?: boolean
  /** The number of partitions of growing tables, set at creation; 0 for none. */
  readonly partitions?: number
  /** Off for a pooler without prepared statements. */
  readonly prepare?: boolean
}

export const POSTGRES_DEFAULTS = {
  schema: 'muniment',
  role: 'muniment_app',
  poolSize: 10,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 60_000,
  lockTimeoutMs: 5_000,
  retryMs: 15_000,
  migrates: true,
  partitions: 16,
  prepare: true,
} as const

/** A store for `openStack(id, { store })`; connects on first use. */
export function postgres(options: PostgresOptions): PostgresStore {
  const { schema, role, replica, ...given } = { ...POSTGRES_DEFAULTS, ...options }
  const names = { schema: parseName(schema, 'schema'), role: parseName(role, 'role') }
  const followed = { ...given, ...names }
  const { connectionString, pool, driver, ...rest } = options
  // A lost replica is not retried: the first server answers.
  const following = { ...followed, migrates: false, retryMs: 0 }
  return new PostgresStore(
    new Database(driverOf(options), followed),
    replica ? new Database(driverOf({ ...rest, ...replica }), following) : null,
  )
}

/** Prepares a database or brings it up to date; a dry run only reports both versions. */
export async function migration(
  options: PostgresOptions,
  { isDryRun, onStep }: { isDryRun: boolean; onStep?: (step: number, of: number) => void },
): Promise<Migration> {
  const { schema, role, partitions } = { ...POSTGRES_DEFAULTS, ...options }
  const wanted = {
    schema: parseName(schema, 'schema'),
    role: parseName(role, 'role'),
    partitions,
    ...(onStep && { onStep }),
  }
  const driver = driverOf(options)
  try {
    const client = await driver.connect()
    try {
      return await (isDryRun ? planned(client, wanted.schema) : migrate(client, wanted))
    } finally {
      client.release('fit')
    }
  } catch (cause) {
    throw faultOf(cause)
  } finally {
    await driver.close()
  }
}

function driverOf(options: PostgresOptions): PgDriver {
  const { connectionString, pool, driver, ssl } = options
  const { poolSize, connectTimeoutMs, prepare } = { ...POSTGRES_DEFAULTS, ...options }
  const ways = [connectionString, pool, driver].filter((way) => way !== undefined)
  if (ways.length !== 1) {
    throw new MunimentError('invalid_input', 'One of connectionString, pool and driver is needed.')
  }
  if (driver) return driver
  if (pool) return pooling(pool, prepare, 'given')
  return connecting(
    {
      connectionString: connectionString ?? '',
      poolSize,
      connectTimeoutMs,
      ...(ssl === undefined ? {} : { ssl }),
    },
    prepare,
  )
}
