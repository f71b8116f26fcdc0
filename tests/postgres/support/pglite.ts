import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { afterAll } from 'vitest'
import { type PgDriver, pgliteDriver } from '../../../src/stores/postgres/drivers.ts'
import { emptied } from './emptying.ts'

export interface OwnPglite {
  readonly driver: () => PgDriver
  readonly empty: () => Promise<void>
}

/** PostgreSQL inside this process, in memory: no server, one connection. */
export async function ownPglite(): Promise<OwnPglite> {
  const db = await PGlite.create({ extensions: { vector } })
  afterAll(() => db.close())
  const list = async (sql: string) => {
    const { rows } = await db.query<readonly unknown[]>(sql, [], { rowMode: 'array' })
    return rows
  }
  return { driver: () => pgliteDriver(db), empty: () => emptied(list, (sql) => db.exec(sql)) }
}
