import { rmSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

const TABLES = ['provenance_log', 'sealed', 'memories', 'edges', 'bursts'] as const

type Row = Record<string, SQLInputValue>

interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/**
 * The floor: the rows that the engine wrote, written again by hand-made prepared statements into
 * a file of the same schema and settings, in transactions of the same size. No engine, no hashing.
 */
export function floorOf(file: string, notesInTransaction: number): number {
  const source = new DatabaseSync(file, { readOnly: true })
  const schema = source
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE type IN ('table','index') AND sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
    )
    .all()
  const tables = new Map(TABLES.map((name) => [name, readTable(source, name)]))
  source.close()
  const path = `${file}.floor`
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  db.exec(
    'PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cache_size = -64000',
  )
  for (const { sql } of schema) db.exec(String(sql))
  const rate = writeAll(db, tables, notesInTransaction)
  db.close()
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  return rate
}

function readTable(db: DatabaseSync, name: string): Table {
  const rows = db.prepare(`SELECT * FROM ${name}`).all() as Row[] // plain values of one table
  return { rows, columns: Object.keys(rows[0] ?? {}) }
}

function writeAll(
  db: DatabaseSync,
  tables: ReadonlyMap<string, Table>,
  notesInTransaction: number,
): number {
  const inserts = new Map<string, StatementSync>()
  for (const [name, { columns }] of tables) {
    const values = columns.map(() => '?').join()
    inserts.set(name, db.prepare(`INSERT INTO ${name} (${columns.join()}) VALUES (${values})`))
  }
  const notes = (tables.get('memories')?.rows.length ?? 0) / 2
  const groups = Math.ceil(notes / notesInTransaction)
  const start = performance.now()
  for (let group = 0; group < groups; group += 1) {
    db.exec('BEGIN IMMEDIATE')
    for (const [name, { rows, columns }] of tables) {
      const insert = inserts.get(name)
      const per = Math.ceil(rows.length / groups)
      for (const row of rows.slice(group * per, (group + 1) * per)) {
        insert?.run(...columns.map((column) => row[column] ?? null))
      }
    }
    db.exec('COMMIT')
  }
  return (notes / (performance.now() - start)) * 1_000
}
