import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ownPath } from './support/folder.ts'
import { DEMO } from './support/history.ts'
import { openOn, writeSmallHistory } from './support/small-stack.ts'

test('cleaning after an erasure removes what killed restores left, and nothing of a running one', async () => {
  const path = ownPath()
  const opened = await openOn(path)
  await writeSmallHistory(opened)
  const { pid } = spawnSync(process.execPath, ['--version']) // has ended
  const dead = ['', '-wal', '-head'].map((end) => `${path}.incoming-${pid}${end}`)
  const running = `${path}.incoming-${process.pid}`
  for (const file of [...dead, running]) writeFileSync(file, 'words')
  await opened.store.scrub(DEMO)
  expect(dead.map((file) => existsSync(file))).toEqual([false, false, false])
  expect(existsSync(running)).toBe(true)
  await opened.close()
})
