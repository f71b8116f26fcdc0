import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { ownPath } from './support/folder.ts'
import { openOn, writeSmallHistory } from './support/small-stack.ts'

describe('while another process writes', () => {
  async function withLockHeld() {
    const path = ownPath()
    const opened = await openOn(path, { busyTimeoutMs: 150 })
    await writeSmallHistory(opened)
    const rival = new DatabaseSync(path)
    rival.exec('BEGIN IMMEDIATE')
    return { opened, rival }
  }

  test('readers never wait', async () => {
    const { opened, rival } = await withLockHeld()
    expect(await opened.stack.getStats()).toMatchObject({ note: 1 })
    expect(await opened.stack.ledger.audit()).toMatchObject({ ok: true })
    rival.close()
    await opened.close()
  })

  test('a writer waits without holding up the event loop, and then says busy', async () => {
    const { opened, rival } = await withLockHeld()
    let ticks = 0
    const ticking = setInterval(() => {
      ticks += 1
    }, 5)
    await expect(opened.me.note('late')).rejects.toMatchObject({ code: 'store_busy' })
    clearInterval(ticking)
    expect(ticks).toBeGreaterThan(5)
    rival.close()
    await opened.me.note('the lock is free')
    await opened.close()
  })

  test('a writer gets its turn as soon as the lock is free', async () => {
    const { opened, rival } = await withLockHeld()
    const written = opened.me.note('patience', { observed: true })
    setTimeout(() => rival.close(), 40)
    expect(await written).toMatchObject({ disposition: 'CommittedCheap' })
    await opened.close()
  })
})
