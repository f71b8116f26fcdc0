import { statSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { type Fields, nameOf } from './fields.ts'
import type { FileHead } from './formats/format.ts'
import type { ReadItem } from './record.ts'
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

const COLUMNS = `SELECT c.name FROM sqlite_schema AS s JOIN pragma_table_info(s.name) AS c
  WHERE s.type = 'table' AND s.name = ?`

function columnsOf(file: SourceFile, table: string): readonly string[] {
  const database = opened(file)
  try {
    return database
      .prepare(COLUMNS)
      .all(table)
      .map(({ name }) => String(name))
  } finally {
    database.close()
  }
}

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

/** Rows of a statement of our own, one after the other. */
export function* rowsOf(file: SourceFile, sql: string): Generator<Fields, void> {
  const database = opened(file)
  try {
    const statement = database.prepare(sql)
    statement.setReadBigInts(true) // a number too large for JavaScript would end the reading
    for (const row of statement.iterate()) yield withNumbers(row)
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

/** Items of the rows of these tables, table by table; a table that is missing has none. */
export function* itemsOfTables<List>(
  file: SourceFile,
  lists: Readonly<Record<string, List>>,
  itemOf: (list: List, row: Fields, position: string) => ReadItem,
): Generator<ReadItem, void> {
  for (const [table, list] of Object.entries(lists)) {
    if (columnsOf(file, table).length === 0) continue
    let number = 0
    for (const row of rowsOf(file, `SELECT * FROM "${table}" ORDER BY rowid`)) {
      number += 1
      yield itemOf(list, row, `${table}, ${nameOf(row.id) ?? `row ${number}`}`)
    }
  }
}
