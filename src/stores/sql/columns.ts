import type { Dialect } from './dialect.ts'

/** Columns that hold hashes: 32 bytes in a store, hex outside. */
export const HASHES: ReadonlySet<string> = new Set([
  'content_hash',
  'entry_hash',
  'hash',
  'identity',
  'line',
  'mark',
  'policy_hash',
  'prev_hash',
  'pseudonym',
])

/**
 * Columns as a statement selects them, each under its own name, since some drivers read columns
 * only by name. SQLite returns a NULL hash as the empty text.
 */
export const selected = (d: Dialect, columns: readonly string[], of: string): string =>
  columns
    .map((column) => {
      const value = HASHES.has(column) ? d.hex(`${of}.${column}`) : `${of}.${column}`
      return `${value} AS ${of}_${column}`
    })
    .join(', ')

/** Values computed from the given values stand behind them. */
export function insertInto(
  table: string,
  columns: readonly string[],
  workedOut: Readonly<Record<string, string>> = {},
): string {
  const given = columns.map((column) => (HASHES.has(column) ? 'unhex(?)' : '?'))
  const names = [...columns, ...Object.keys(workedOut)]
  const values = [...given, ...Object.values(workedOut)]
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`
}

/** Replaces the row of the same key in place, so rows keep their order. */
export function upsertInto(
  table: string,
  columns: readonly string[],
  key: readonly string[],
): string {
  const rest = columns.filter((column) => !key.includes(column))
  const replaced = rest.map((column) => `${column} = excluded.${column}`).join(', ')
  return `${insertInto(table, columns)} ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${replaced}`
}
