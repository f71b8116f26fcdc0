import type { SqlRow, SqlValue } from './values.ts'

export interface Statement {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

/**
 * A query as the statements that it needs, so that a driver that answers at once and one that answers later
 * run the same code. Statements of one step need no answer of each other and may be sent together.
 */
export type Steps<T> = Generator<readonly Statement[], T, readonly (readonly SqlRow[])[]>

/** All rows of one statement. */
export function* rowsOf(sql: string, ...values: readonly SqlValue[]): Steps<readonly SqlRow[]> {
  const [rows = []] = yield [{ sql, values }]
  return rows
}

/** The first row of one statement. */
export function* rowOf(sql: string, ...values: readonly SqlValue[]): Steps<SqlRow | undefined> {
  const [row] = yield* rowsOf(sql, ...values)
  return row
}

export const numbersOf = (rows: readonly SqlRow[]): readonly number[] =>
  rows.map(([number]) => Number(number))
