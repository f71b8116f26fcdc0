import { HASHES } from '../sql/columns.ts'

export const isHashColumn = (column: string): boolean => HASHES.has(column)

/** Columns of a table as they are selected; a hash that is NULL stays NULL. */
export const selected = (columns: readonly string[], of: string): string =>
  columns
    .map((column) => (HASHES.has(column) ? `encode(${of}.${column}, 'hex')` : `${of}.${column}`))
    .join(', ')

/** A column of rows that are handed over as lists, one list a column. */
export interface ListColumn {
  readonly name: string
  readonly type: 'bigint' | 'integer' | 'smallint' | 'float8' | 'text' | 'bytea' | 'uuid'
}

/** Puts in as many rows as the lists are long, in their order. */
export function insertInto(table: string, columns: readonly ListColumn[]): string {
  const names = columns.map(({ name }) => name).join(', ')
  const lists = columns.map(({ type }) => `?::${type}[]`).join(', ')
  return `INSERT INTO ${table} (stack_id, ${names}) SELECT $1, * FROM unnest(${lists})`
}

/** The same, in the place of rows of the same key. */
export function upsertInto(
  table: string,
  columns: readonly ListColumn[],
  key: readonly string[],
): string {
  const rest = columns.filter(({ name }) => !key.includes(name))
  const replaced = rest.map(({ name }) => `${name} = excluded.${name}`).join(', ')
  return `${insertInto(table, columns)}
    ON CONFLICT (stack_id, ${key.join(', ')}) DO UPDATE SET ${replaced}`
}

/**
 * The row of a table whose column is the value, for each row before it. Asked for one by one: the
 * statistics of a table may be hours old, and a planner that goes by them may read all of a stack.
 */
export const each = (table: string, column: string, value: string, as = 'm'): string =>
  `JOIN LATERAL (SELECT * FROM ${table} t WHERE t.stack_id = $1 AND t.${column} = ${value} LIMIT 1) ${as} ON TRUE`

/** The same where a value may have many rows. */
export const every = (table: string, column: string, value: string, as = 'm'): string =>
  `JOIN LATERAL (SELECT * FROM ${table} t WHERE t.stack_id = $1 AND t.${column} = ${value} OFFSET 0) ${as} ON TRUE`

/** A list of values, in its order. */
export const listed = (type: ListColumn['type'], value = '?'): string =>
  `unnest(${value}::${type}[]) WITH ORDINALITY AS j (key, at)`
