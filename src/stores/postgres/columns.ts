/** A column of rows passed as lists, one list per column. */
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

/** Replaces rows of the same key. */
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
