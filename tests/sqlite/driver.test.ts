import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { nodeDriver, withoutNumbers } from '../../src/stores/sqlite/connection.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { contentsOf, live } from './support/history.ts'

const HISTORY = { seed: 4, steps: 40, atOnce: 1 }

async function lived(): Promise<ReadonlyMap<string, string>> {
  const store = new SqliteStore({ path: ':memory:' })
  await live(store, HISTORY)
  const contents = await contentsOf(store)
  await store.close()
  return contents
}

test('numbered placeholders become plain ones, which every supported Node binds', async () => {
  expect(withoutNumbers('SELECT ?2, ?, ?1')).toEqual({ sql: 'SELECT ?, ?, ?', places: [1, 2, 0] })
  expect(withoutNumbers("SELECT '?''?1', ?1")).toEqual({ sql: "SELECT '?''?1', ?", places: [0] })
  expect(withoutNumbers('SELECT ?, ?')).toEqual({ sql: 'SELECT ?, ?', places: null })
  const { prepare } = DatabaseSync.prototype
  const seen: string[] = []
  onTestFinished(() => void Object.assign(DatabaseSync.prototype, { prepare }))
  Object.assign(DatabaseSync.prototype, {
    prepare(this: DatabaseSync, sql: string) {
      seen.push(sql)
      return prepare.call(this, sql)
    },
  })
  await lived()
  expect(seen.length).toBeGreaterThan(20)
  expect(seen.filter((sql) => /\?\d/.test(sql))).toEqual([])
})

test('rows can be taken one by one', () => {
  const db = nodeDriver.open(':memory:', { readOnly: false })
  db.exec("CREATE TABLE t (a INTEGER, b TEXT) STRICT; INSERT INTO t VALUES (1, 'x'), (2, 'y')")
  expect([...db.prepare('SELECT a, b FROM t').iterate()]).toEqual([
    [1, 'x'],
    [2, 'y'],
  ])
  expect(db.prepare('UPDATE t SET b = ?').run('z')).toBe(2)
  expect(db.prepare('SELECT a FROM t WHERE b = ?').get('y')).toBeUndefined()
  db.close()
})

test('loading it leaves the warnings of others alone', () => {
  const { emitWarning } = process
  nodeDriver.open(':memory:', { readOnly: false }).close()
  expect(process.emitWarning).toBe(emitWarning)
})
