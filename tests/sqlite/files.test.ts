import { chmodSync, copyFileSync, existsSync, readdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseStackId } from '../../src/domain/ids.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { ownFolder, ownPath } from './support/folder.ts'
import { DEMO } from './support/history.ts'
import { headOf, openOn, writeSmallHistory } from './support/small-stack.ts'

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

test('opening and reading make no file, and not even its folder', async () => {
  const folder = join(ownFolder(), 'not', 'there')
  const { stack, store, close } = await openOn(join(folder, 'demo.db'))
  expect(await stack.getStats()).toEqual({ total: 0 })
  expect(await stack.ledger.audit()).toMatchObject({ ok: true, entries: 0 })
  await store.read(DEMO, { type: 'counts' })
  await close()
  expect(existsSync(dirname(folder))).toBe(false)
})

test('the file, its log and its folder are for their owner alone, whatever the umask', async () => {
  const umask = process.umask(0)
  onTestFinished(() => void process.umask(umask))
  const folder = join(ownFolder(), 'stacks')
  const opened = await openOn(join(folder, 'demo.db'))
  await writeSmallHistory(opened)
  await opened.stack.getStats()
  const files = readdirSync(folder).sort()
  expect(files).toEqual(['demo.db', 'demo.db-head', 'demo.db-shm', 'demo.db-wal'])
  for (const file of files) expect(modeOf(join(folder, file)), file).toBe('600')
  expect(modeOf(folder)).toBe('700')
  await opened.close()
})

test('after closing, a stack is one file, beside the witness of its last entry', async () => {
  const path = ownPath()
  const opened = await openOn(path)
  await writeSmallHistory(opened)
  const head = await headOf(opened.store)
  await opened.close()
  expect(readdirSync(dirname(path)).sort()).toEqual(['demo.db', 'demo.db-head'])
  const alone = ownPath()
  copyFileSync(path, alone)
  const copy = await openOn(alone)
  expect(await headOf(copy.store)).toEqual(head)
  await copy.close()
})

test('a file that is there already keeps its mode', async () => {
  const path = ownPath()
  const first = await openOn(path)
  await writeSmallHistory(first)
  await first.close()
  chmodSync(path, 0o640)
  const again = await openOn(path, { seed: 2 })
  await again.me.attachStack(again.stack)
  await again.me.note('still here')
  expect(modeOf(path)).toBe('640')
  await again.close()
})

test('a file holds one stack; another one is told so and writes nothing', async () => {
  const path = ownPath()
  const opened = await openOn(path)
  await writeSmallHistory(opened)
  const { store } = opened
  const other = parseStackId('other')
  await expect(store.read(other, { type: 'standing' })).rejects.toMatchObject({ code: 'scope' })
  await expect(store.read(other, { type: 'counts' })).rejects.toMatchObject({ code: 'scope' })
  const held = store.exclusively(other, (inside) => inside.read(other, { type: 'counts' }))
  await expect(held).rejects.toMatchObject({ code: 'scope' })
  expect(await store.read(DEMO, { type: 'counts' })).toMatchObject({ note: 1 })
  await opened.close()
})

test('a file that was moved away under an open store takes no more commits', async () => {
  const path = ownPath()
  const opened = await openOn(path)
  const { me, stack } = opened
  await writeSmallHistory(opened)
  renameSync(path, `${path}.old`)
  await expect(me.note('into the void')).rejects.toMatchObject({ code: 'store_unavailable' })
  renameSync(`${path}.old`, path)
  await me.note('home again')
  expect(await stack.ledger.audit()).toMatchObject({ ok: true })
  await opened.close()
})

test('in memory there is no file at all', async () => {
  const store = new SqliteStore({ path: ':memory:' })
  expect(existsSync(':memory:')).toBe(false)
  await store.close()
  expect(existsSync(':memory:')).toBe(false)
})
