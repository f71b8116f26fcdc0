import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { MunimentError } from '../../domain/errors.ts'
import type { SqlRow, SqlValue } from '../sql/values.ts'

export interface SqlStatement {
  /** Returns the number of changed rows. */
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
      prepare: (sql) => statementOf(database.prepare(sql)),
      ...(typeof sqlite.backup === 'function' ? { backup: backupOf(sqlite, database) } : {}),
      close: () => database.close(),
    }
  },
}

const PAGES_AT_ONCE = 2 ** 30 // all of them: a copy made in parts starts anew after every commit

const backupOf = (sqlite: NodeSqlite, database: DatabaseSync) => async (toPath: string) => {
  await sqlite.backup(database, toPath, { rate: PAGES_AT_ONCE })
}

function statementOf(statement: StatementSync): SqlStatement {
  // Node 22 before 22.16 gives objects only; their members are in the order of the columns.
  const givesArrays = typeof statement.setReturnArrays === 'function'
  if (givesArrays) statement.setReturnArrays(true)
  const rowOf = (row: unknown): SqlRow =>
    givesArrays ? (row as SqlRow) : Object.values(row as Record<string, SqlValue>) // see above
  const given = (values: readonly SqlValue[]) => values as Values // a Uint8Array is a view
  return {
    run: (...values) => Number(statement.run(...given(values)).changes),
    get: (...values) => {
      const row: unknown = statement.get(...given(values))
      return row === undefined ? undefined : rowOf(row)
    },
    all: (...values) => {
      const rows: readonly unknown[] = statement.all(...given(values))
      return givesArrays ? (rows as readonly SqlRow[]) : rows.map(rowOf) // as set above
    },
    *iterate(...values) {
      for (const row of statement.iterate(...given(values)) as Iterable<unknown>) yield rowOf(row) // rows of any shape
    },
  }
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
    'Muniment needs Node 22.13 or later, for its SQLite.',
    {
      hint: `This is Node ${process.versions.node}.`,
    },
  )
}
