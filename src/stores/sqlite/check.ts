import type { Connection } from './connection.ts'

const PROBLEMS_MAX = 100 // SQLite's own default; one is enough to know

/** What SQLite itself finds wrong with its pages and indexes; the audit looks at what they say. */
export function check(connection: Connection): readonly string[] {
  const rows = connection.prepare(`PRAGMA integrity_check(${PROBLEMS_MAX})`).all()
  const found = rows.map(([says]) => String(says)).filter((says) => says !== 'ok')
  const strays = connection.prepare('PRAGMA foreign_key_check').all()
  return [...found, ...strays.map(([table, row, to]) => `row ${row} of ${table} lacks its ${to}`)]
}
