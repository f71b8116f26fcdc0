import { rmSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

const TABLES = ['provenance_log', 'sealed', 'memories', 'words', 'edges', 'bursts'] as const

type Row = Record<string, SQLInputValue>

interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/**
 * The floor: the rows that the engine wrote, written again by hand-made prepared statements into
 * a file of the same schema, guards and settings, in transactions of the same size. No engine, no
 * hashing, nothing gathered. The first notes are not timed where those of the engine were not:
 * later ones meet larger indexes.
 */
export function floorOf(
  file: string,
  { notesInTransaction, untimed }: { notesInTransaction: number; untimed: number },
): number {
  const source = new DatabaseSync(file, { readOnly: true })
  const schema = source.prepare(SCHEMA).all()
  const tables = new Map(TABLES.map((name) => [name, readTable(source, name)]))
  source.close()
  const path = `${file}.floor`
  const db = new DatabaseSync(path)
  db.exec(SETTINGS)
  for (const { sql } of schema) db.exec(String(sql))
  const rate = writeAll(db, tables, { notesInTransaction, untimed })
  db.close()
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  return rate
}

// The index of words makes its own tables.
const SCHEMA = `
  SELECT sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'words_%'
  ORDER BY CASE type WHEN 'table' THEN 0 ELSE 1 END`

// As the engine opens its own file.
const SETTINGS = `
  PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 8000; PRAGMA journal_size_limit = 67108864;
  PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF;
  PRAGMA cell_size_check = ON; PRAGMA cache_size = -65536`

/** What SQLite works out of other columns is not written. */
const keptColumns = (db: DatabaseSync, table: string): readonly string[] =>
  db
    .prepare('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0')
    .all(table)
    .map(({ name }) => String(name))

function readTable(db: DatabaseSync, name: string): Table {
  const columns = name === 'words' ? ['rowid', 'terms'] : keptColumns(db, name)
  const selected = columns.join(', ')
  const rows = db.prepare(`SELECT ${selected} FROM ${name}`).all() as Row[] // plain values of one table
  return { rows, columns }
}

/** The position that a row belongs to: that of its entry, so that a group's rows stay together. */
const placeOf = (row: Row, index: number): number =>
  Number(row.seq ?? row.rowid ?? row.child ?? index * 2)

function writeAll(
  db: DatabaseSync,
  tables: ReadonlyMap<string, Table>,
  { notesInTransaction, untimed }: { notesInTransaction: number; untimed: number },
): number {
  const inserts = new Map<string, StatementSync>()
  for (const [name, { columns }] of tables) {
    const values = columns.map(() => '?').join()
    inserts.set(name, db.prepare(`INSERT INTO ${name} (${columns.join()}) VALUES (${values})`))
  }
  const notes = (tables.get('memories')?.rows.length ?? 0) / 2 - untimed
  const width = notesInTransaction * 2
  const last = tables.get('provenance_log')?.rows.length ?? 0
  const next = new Map<string, number>()
  let start = performance.now()
  for (let end = width; end < last + width; end += width) {
    if (end - width <= untimed * 2) start = performance.now()
    db.exec('BEGIN IMMEDIATE')
    for (const [name, { rows, columns }] of tables) {
      let at = next.get(name) ?? 0
      for (let row = rows[at]; row && placeOf(row, at) < end; row = rows[at]) {
        const written = row
        inserts.get(name)?.run(...columns.map((column) => written[column] ?? null))
        at += 1
      }
      next.set(name, at)
    }
    db.exec('COMMIT')
  }
  return (notes / (performance.now() - start)) * 1_000
}
