import { statSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { type Fields, nameOf } from './fields.ts'
import type { FileHead } from './formats/format.ts'
import { ADOPT_LIMITS, bad, type ReadItem } from './record.ts'
import type { SourceFile } from './source-file.ts'

const HEAD = 'SQLite format 3\0'

export const isDatabase = ({ text }: FileHead): boolean => text.startsWith(HEAD)

/** True for a database that has such a table with such a column. */
export function hasColumn(head: FileHead, table: string, column: string): boolean {
  if (!isDatabase(head)) return false
  try {
    return columnsOf(head.file, table).includes(column)
  } catch {
    return false // damaged, or no database after all
  }
}

const IS_SMALL = 'muniment is small'
const COLUMNS = `SELECT c.name FROM sqlite_schema AS s JOIN pragma_table_info(s.name) AS c
  WHERE s.type = 'table' AND s.name = ?`

function columnsOf(file: SourceFile, table: string): readonly string[] {
  const database = opened(file)
  try {
    return columnsIn(database, table)
  } finally {
    database.close()
  }
}

/** Generated columns are not among them: reading such a column runs an expression of the file. */
const columnsIn = (database: DatabaseSync, table: string): readonly string[] =>
  database
    .prepare(COLUMNS)
    .all(table)
    .map(({ name }) => String(name))

/** A database of another tool, for reading alone; its own views and triggers may call nothing. */
function opened({ path }: SourceFile): DatabaseSync {
  const options = { readOnly: true, allowExtension: false }
  const plainly = (): DatabaseSync => new DatabaseSync(path, options)
  const database = hasLog(path) ? plainly() : (unchanging(path, options) ?? plainly())
  database.exec('PRAGMA trusted_schema = OFF')
  return database
}

/** Rows in a log can be read only with files beside the database, as its tool makes them. */
const hasLog = (path: string): boolean =>
  (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0

/** Opens without a trace beside the file; null on versions of Node that take no address. */
function unchanging(path: string, options: DatabaseSyncOptions): DatabaseSync | null {
  try {
    return new DatabaseSync(new URL(`${pathToFileURL(path).href}?immutable=1`), options)
  } catch {
    return null
  }
}

/** Rows of a table, one after the other; `more` are columns of our own. */
export function* rowsOf(
  file: SourceFile,
  table: string,
  more = '',
): Generator<Fields | 'too large', void> {
  const database = opened(file)
  try {
    const columns = columnsIn(database, table).map((name) => `"${name.replaceAll('"', '""')}"`)
    if (columns.length === 0) return
    const sizes = columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ')
    const isSmall = `${sizes} <= ${ADOPT_LIMITS.rowBytesMax}`
    const values = columns.map((column) => `CASE WHEN ${isSmall} THEN ${column} END AS ${column}`)
    const statement = database.prepare(
      `SELECT ${values.join(', ')}${more}, ${isSmall} AS "${IS_SMALL}" FROM "${table}" ORDER BY rowid`,
    )
    statement.setReadBigInts(true) // a number too large for JavaScript would end the reading
    for (const row of statement.iterate()) {
      yield (row as Fields)[IS_SMALL] === 1n ? withNumbers(row) : 'too large'
    }
  } finally {
    database.close()
  }
}

const withNumbers = (row: object): Fields =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? Number(value) : value,
    ]),
  )

export const tooLarge = (position: string): ReadItem =>
  bad(position, `holds more than ${ADOPT_LIMITS.rowBytesMax} bytes`)

/** Items of the rows of these tables, table by table; a table that is missing has none. */
export function* itemsOfTables<List>(
  file: SourceFile,
  lists: Readonly<Record<string, List>>,
  itemOf: (list: List, row: Fields, position: string) => ReadItem,
): Generator<ReadItem, void> {
  for (const [table, list] of Object.entries(lists)) {
    let number = 0
    for (const row of rowsOf(file, table)) {
      number += 1
      if (row === 'too large') yield tooLarge(`${table}, row ${number}`)
      else yield itemOf(list, row, `${table}, ${nameOf(row.id) ?? `row ${number}`}`)
    }
  }
}
