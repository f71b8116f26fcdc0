import { StatementSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { nodeDriver } from '../../src/stores/sqlite/connection.ts'
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

test('where statements give rows by name only, as on Node 22.13, every answer is the same', async () => {
  const expected = await lived()
  const { setReturnArrays } = StatementSync.prototype
  onTestFinished(() => void Object.assign(StatementSync.prototype, { setReturnArrays }))
  Reflect.deleteProperty(StatementSync.prototype, 'setReturnArrays')
  expect(await lived()).toEqual(expected)
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
