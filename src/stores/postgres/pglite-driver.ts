import type { PgClient, PgDriver, PgRow } from './driver.ts'
import { fromStored, toStored } from './text.ts'

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
