import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { PAGE_BYTES } from './migrate.ts'
import { FilePages } from './unused-bytes.ts'

const SECRET = 'zwickelfarbe'
const ROWS = 4_000
const keyOf = (row: number): Buffer => createHash('sha256').update(`${row}`).digest()

/** A file whose rows moved between pages, and whose secret rows are deleted, one in ten. */
function fileWithoutSecrets(pageBytes: number) {
  const path = join(mkdtempSync(join(tmpdir(), 'muniment-pages-')), 'demo.db')
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = WAL;
    PRAGMA synchronous = OFF; PRAGMA secure_delete = ON;
    CREATE TABLE rows (key BLOB PRIMARY KEY, words TEXT) WITHOUT ROWID;
    CREATE INDEX rows_by_words ON rows (words, key);
    CREATE VIRTUAL TABLE words USING fts5 (terms);
    INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
    CREATE TABLE long (id INTEGER PRIMARY KEY, words TEXT);`)
  const put = db.prepare('INSERT INTO rows VALUES (?, ?)')
  const putWords = db.prepare('INSERT INTO words (rowid, terms) VALUES (?, ?)')
  const putLong = db.prepare('INSERT INTO long VALUES (?, ?)')
  const isSecret = (row: number) => row % 10 === 0
  for (let row = 0; row < ROWS; row += 1) {
    const words = `${isSecret(row) ? SECRET : 'ordinary'} words of row ${row}`
    put.run(keyOf(row), words)
    putWords.run(row, words)
    if (row % 7 === 0) putLong.run(row, words.repeat(1 + (row % 400)))
  }
  for (let row = 0; row < ROWS; row += 10) {
    db.prepare('DELETE FROM rows WHERE key = ?').run(keyOf(row))
    db.prepare('DELETE FROM words WHERE rowid = ?').run(row)
    db.prepare('DELETE FROM long WHERE id = ?').run(row)
  }
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  return { path, db }
}

const dumpOf = (db: DatabaseSync) =>
  ['SELECT hex(key), words FROM rows', 'SELECT * FROM words', 'SELECT * FROM long'].map((sql) =>
    db.prepare(sql).all(),
  )

const countIn = (path: string): number => readFileSync(path, 'latin1').split(SECRET).length - 1

describe.each([512, PAGE_BYTES, 65_536])('unused bytes of pages of %i bytes', (pageBytes) => {
  test('hold copies of deleted rows, and none once they are overwritten', () => {
    const { path, db } = fileWithoutSecrets(pageBytes)
    const before = dumpOf(db)
    db.close()
    if (pageBytes === PAGE_BYTES) expect(countIn(path)).toBeGreaterThan(0) // the control
    const pages = new FilePages(path, pageBytes)
    const changed: boolean[] = []
    for (let from = 0; from < pages.count; from += 64) changed.push(pages.zeroUnused(from, 64))
    expect(changed).toContain(true)
    expect(countIn(path)).toBe(0)
    const again = new DatabaseSync(path)
    expect(again.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(dumpOf(again)).toEqual(before)
    again.close()
    expect(pages.zeroUnused(0, pages.count)).toBe(false)
  })
})
