import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { nodeDriver } from '../../src/stores/sqlite/connection.ts'
import { fitnessOf, migrate, versionOf } from '../../src/stores/sqlite/migrate.ts'
import { APPLICATION_ID, MIGRATIONS } from '../../src/stores/sqlite/schema.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { holds } from '../support/holds.ts'
import { ownPath } from './support/folder.ts'
import { DEMO } from './support/history.ts'
import { cell, withRaw } from './support/raw.ts'
import { openOn, writeSmallHistory } from './support/small-stack.ts'

async function smallFile(): Promise<string> {
  const path = ownPath()
  const opened = await openOn(path)
  await writeSmallHistory(opened)
  await opened.close()
  return path
}

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['UPDATE provenance_log SET bytes = bytes WHERE seq = 3', /never changed/],
  ['UPDATE provenance_log SET ref = NULL', /never changed/],
  ['DELETE FROM provenance_log WHERE seq = 3', /never deleted/],
  ['DELETE FROM provenance_log', /never deleted/],
  [
    'INSERT OR REPLACE INTO provenance_log (seq, bytes, entry_hash, prev_hash) VALUES (3, x, x, x)',
    /after the last one/,
  ],
  [
    'INSERT INTO provenance_log (seq, bytes, entry_hash, prev_hash) VALUES (9999, x, x, x)',
    /after the last one/,
  ],
  ['UPDATE sealed SET salt = bytes', /never changed/],
  ['DELETE FROM sealed WHERE seq = (SELECT max(seq) FROM sealed)', /only by an erasure/],
  ['REPLACE INTO sealed SELECT seq, ref, bytes, salt FROM sealed', /written once/],
]

holds(
  'LEDGER-APPEND',
  'the file itself refuses to change, delete or replace an entry',
  async () => {
    const path = await smallFile()
    withRaw(path, (db) => {
      const countAll = 'SELECT count(*) || sum(length(bytes)) FROM provenance_log, (SELECT 1)'
      const before = db.prepare(countAll).get()
      for (const [sql, says] of REFUSED) {
        expect(() => db.exec(sql.replaceAll(/\bx\b/g, "x'00'")), sql).toThrow(says)
      }
      expect(db.prepare(countAll).get()).toEqual(before)
    })
  },
)

holds('LEDGER-APPEND', 'a sealed row goes only where an erasure stands in the log', async () => {
  const path = await smallFile()
  withRaw(path, (db) => {
    db.exec('PRAGMA foreign_keys = ON')
    const { last } = db.prepare('SELECT max(seq) AS last FROM sealed').get() ?? {}
    const erase = `INSERT INTO erasures VALUES (${last}, 99); DELETE FROM sealed WHERE seq = ${last}`
    db.exec('BEGIN')
    db.exec(erase)
    expect(() => db.exec('COMMIT')).toThrow(/FOREIGN KEY/)
    db.exec('ROLLBACK')
    db.exec(erase.replace('99', String(last)))
    const again = `INSERT INTO sealed VALUES (${last}, 'x', x'00', x'00')`
    expect(() => db.exec(again)).toThrow(/written once/)
    expect(() => db.exec('DELETE FROM erasures')).toThrow(/never deleted/)
    expect(() => db.exec('UPDATE erasures SET seq = 1')).toThrow(/never changed/)
  })
})

test('the file says what it is, and its tables are STRICT', async () => {
  const path = await smallFile()
  expect(cell(path, 'PRAGMA application_id')).toBe(APPLICATION_ID)
  expect(cell(path, 'PRAGMA user_version')).toBe(MIGRATIONS.length)
  expect(cell(path, 'PRAGMA journal_mode')).toBe('wal')
  expect(cell(path, 'PRAGMA integrity_check')).toBe('ok')
  const loose = "SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND strict = 0"
  expect(cell(path, `${loose} AND name NOT LIKE 'sqlite_%'`)).toBe(0)
  expect(cell(path, 'SELECT op FROM entries WHERE seq = 0')).toBe('genesis')
})

test('a newer file is refused and left alone, for reading and for writing', async () => {
  const path = await smallFile()
  withRaw(path, (db) => db.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`))
  const newer = { code: 'schema_newer', facts: { found: MIGRATIONS.length + 1 } }
  await expect(openOn(path)).rejects.toMatchObject(newer)
  const store = new SqliteStore({ path })
  await expect(store.exclusively(DEMO, async () => 1)).rejects.toMatchObject(newer)
  await store.close()
  expect(cell(path, 'SELECT count(*) FROM memories')).toBeGreaterThan(5)
})

test('an older file is not brought up to date by a reader, who says what does so', async () => {
  const path = await smallFile()
  withRaw(path, (db) => db.exec(`PRAGMA user_version = ${MIGRATIONS.length - 1}`))
  const store = new SqliteStore({ path, readOnly: true })
  const older = { code: 'store_read_only', hint: expect.stringContaining('muniment list') }
  await expect(store.check()).rejects.toMatchObject(older)
  await store.close()
  expect(cell(path, 'PRAGMA user_version')).toBe(MIGRATIONS.length - 1)
})

test('a file that a newer program took over while it was open takes no more of ours', async () => {
  const path = ownPath()
  const opened = await openOn(path)
  await writeSmallHistory(opened)
  withRaw(path, (db) => db.exec('PRAGMA user_version = 99'))
  await expect(opened.me.note('too late')).rejects.toMatchObject({ code: 'schema_newer' })
  await opened.close()
})

test("another program's database is refused and left alone", async () => {
  const path = ownPath()
  withRaw(path, (db) => db.exec('CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)'))
  await expect(openOn(path)).rejects.toMatchObject({ code: 'store_corrupt' })
  const store = new SqliteStore({ path })
  await expect(store.exclusively(DEMO, async () => 1)).rejects.toMatchObject({
    code: 'store_corrupt',
    message: expect.stringContaining("another program's"),
  })
  await store.close()
  expect(cell(path, 'SELECT count(*) FROM sqlite_schema')).toBe(1)
})

holds(
  'LEDGER-DETECT',
  'an empty file is no new stack: it is not read, written or changed',
  async () => {
    const path = ownPath()
    writeFileSync(path, '')
    const opened = await openOn(path)
    const lost = { code: 'data_loss', hint: expect.stringContaining('remove the empty file') }
    await expect(opened.stack.getStats()).rejects.toMatchObject(lost)
    await expect(writeSmallHistory(opened)).rejects.toMatchObject(lost)
    await opened.close()
    expect(statSync(path).size).toBe(0)
  },
)

test('a crash at birth leaves a draft under another name, and the stack begins after it', async () => {
  const path = ownPath()
  writeFileSync(`${path}.new-${process.pid}`, '')
  const opened = await openOn(path)
  expect(await opened.stack.getStats()).toEqual({ total: 0 })
  await writeSmallHistory(opened)
  expect(await opened.stack.ledger.audit()).toMatchObject({ ok: true })
  await opened.close()
  expect(readdirSync(dirname(path)).filter((name) => name.includes('.new-'))).toEqual([])
})

describe('migrations', () => {
  const steps = [...MIGRATIONS, 'CREATE TABLE later (x INTEGER) STRICT']

  test('go forward from any version, all the steps or none', () => {
    const path = ownPath()
    const db = nodeDriver.open(path, { readOnly: false })
    migrate(db, path)
    expect(fitnessOf(db, path, steps)).toBe('older')
    expect(() => migrate(db, path, [...steps, 'CREATE TABLE later (y)'])).toThrow(/later/)
    expect([versionOf(db), fitnessOf(db, path)]).toEqual([MIGRATIONS.length, 'current'])
    migrate(db, path, steps)
    expect([versionOf(db), fitnessOf(db, path, steps)]).toEqual([steps.length, 'current'])
    migrate(db, path, steps)
    expect(() => migrate(db, path)).toThrow(/newer/)
    db.close()
  })

  test('are done once when two processes come at the same time', () => {
    const path = ownPath()
    const [one, two] = [0, 1].map(() => nodeDriver.open(path, { readOnly: false }))
    if (!one || !two) throw new Error('two were opened')
    migrate(one, path)
    migrate(two, path)
    expect(versionOf(two)).toBe(MIGRATIONS.length)
    for (const db of [one, two]) db.close()
    expect(new DatabaseSync(path).location()).toBe(path)
  })
})
