import type { ListColumn } from './columns.ts'
import type { Connection } from './connection.ts'
import type { PgValue } from './driver.ts'
import { listOf } from './text.ts'

const PART_ROWS = 10_000
const PART_BYTES = 8_388_608 // of bodies and texts; in a statement they take twice as much

type Row = readonly PgValue[]

/** Rows passed as lists, one list per column, in as many statements as keep each small. */
export async function putRows(
  connection: Connection,
  sql: string,
  { rows, columns }: { readonly rows: readonly Row[]; readonly columns: readonly ListColumn[] },
): Promise<void> {
  const sent: Promise<unknown>[] = []
  for (const part of partsOf(rows)) {
    const lists = columns.map((_, at) => listOf(part.map((row) => row[at] ?? null)))
    sent.push(connection.rows(sql, ...lists))
  }
  await Promise.all(sent)
}

function* partsOf(rows: readonly Row[]): Generator<readonly Row[]> {
  let start = 0
  let bytes = 0
  for (const [at, row] of rows.entries()) {
    for (const value of row) if (value !== null && typeof value === 'object') bytes += value.length
    for (const value of row) if (typeof value === 'string') bytes += value.length
    if (at + 1 - start < PART_ROWS && bytes < PART_BYTES) continue
    yield rows.slice(start, at + 1)
    start = at + 1
    bytes = 0
  }
  if (start < rows.length) yield rows.slice(start)
}
