import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeDriver, type SqlDriver } from '../../src/stores/sqlite/connection.ts'
import { ownPath } from './support/folder.ts'
import { contentsOf } from './support/history.ts'
import { headOf, openOn, writeSmallHistory } from './support/small-stack.ts'

/** As on Node 22, whose SQLite cannot copy while it is in use. */
const withoutBackup: SqlDriver = {
  open: (path, options) => {
    const { backup: _, ...db } = nodeDriver.open(path, options)
    return db
  },
}

test.each([
  ['copied page by page', nodeDriver],
  ['written anew', withoutBackup],
])(
  'a backup %s is a whole stack, for its owner alone, made while others write',
  async (_, driver) => {
    const path = ownPath()
    const opened = await openOn(path, { driver })
    await writeSmallHistory(opened)
    const to = join(dirname(path), 'kept', 'copy.db')
    const writing = opened.me.note('written meanwhile')
    const head = await opened.store.backup(to)
    await writing
    expect(readdirSync(dirname(to))).toEqual(['copy.db'])
    expect((statSync(to).mode & 0o777).toString(8)).toBe('600')
    const copy = await openOn(to, { readOnly: true })
    expect(await headOf(copy.store)).toEqual(head)
    expect(await copy.stack.ledger.audit()).toMatchObject({ ok: true })
    expect(await copy.store.check()).toEqual([])
    await copy.close()
    await opened.close()
  },
)

test('a backup of an unchanging stack says the same as the stack', async () => {
  const path = ownPath()
  const opened = await openOn(path)
  await writeSmallHistory(opened)
  await opened.store.backup(`${path}.copy`)
  const copy = await openOn(`${path}.copy`)
  expect(await contentsOf(copy.store)).toEqual(await contentsOf(opened.store))
  await copy.close()
  await opened.close()
})

test('what cannot be a backup gets no such name', async () => {
  const path = ownPath()
  const opened = await openOn(path)
  const nothing = { code: 'not_found' }
  await expect(opened.store.backup(`${path}.copy`)).rejects.toMatchObject(nothing)
  await writeSmallHistory(opened)
  writeFileSync(`${path}.taken`, 'precious')
  const taken = { code: 'invalid_input' }
  await expect(opened.store.backup(`${path}.taken`)).rejects.toMatchObject(taken)
  const broken: SqlDriver = {
    open: (at, options) => ({
      ...nodeDriver.open(at, options),
      backup: async (to) => writeFileSync(to, 'half of it'),
    }),
  }
  const clumsy = await openOn(path, { driver: broken })
  const corrupt = { code: 'store_corrupt' }
  await expect(clumsy.store.backup(`${path}.copy`)).rejects.toMatchObject(corrupt)
  await clumsy.close()
  await opened.close()
  expect(existsSync(`${path}.copy`)).toBe(false)
  expect(readdirSync(dirname(path)).sort()).toEqual(['demo.db', 'demo.db-head', 'demo.db.taken'])
})
