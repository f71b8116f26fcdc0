import type { SqlRow, SqlValue } from './values.ts'

export interface Statement {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

/**
 * A query as a sequence of statements, so that synchronous and asynchronous drivers run the same
 * code. Statements of one step are independent and may be sent together.
 */
export type Steps<T> = Generator<readonly Statement[], T, readonly (readonly SqlRow[])[]>

export function* rowsOf(sql: string, ...values: readonly SqlValue[]): Steps<readonly SqlRow[]> {
  const [rows = []] = yield [{ sql, values }]
  return rows
}

export function* rowOf(sql: string, ...values: readonly SqlValue[]): Steps<SqlRow | undefined> {
  const [row] = yield* rowsOf(sql, ...values)
  return row
}

export const numbersOf = (rows: readonly SqlRow[]): readonly number[] =>
  rows.map(([number]) => Number(number))
