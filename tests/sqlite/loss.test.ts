import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { holds } from '../support/holds.ts'
import { ownPath } from './support/folder.ts'
import { vandalise } from './support/raw.ts'
import { headOf, openOn, writeSmallHistory } from './support/small-stack.ts'

describe('a head ahead of its entries', () => {
  holds(['LEDGER-DETECT', 'STORE-ACKED'], 'stops every write and says what is lost', async () => {
    const path = ownPath()
    const first = await openOn(path)
    await writeSmallHistory(first)
    const { seq } = await headOf(first.store)
    await first.close()
    vandalise(path, `DELETE FROM provenance_log WHERE seq = ${seq}`)
    const opened = await openOn(path, { seed: 2 })
    const lost = { code: 'data_loss', facts: { head: seq, last: seq - 1 } }
    await opened.me.attachStack(opened.stack)
    for (const words of ['one', 'two']) {
      await expect(opened.me.note(words)).rejects.toMatchObject(lost)
    }
    expect(await opened.stack.audit()).toMatchObject({
      ok: false,
      problems: [{ code: 'entry.missing', seq }, { code: 'head.mismatch' }, {}],
    })
    await opened.close()
  })

  holds('STORE-ACKED', 'is noticed when a lost -wal took commits with it', async () => {
    const path = ownPath()
    const first = await openOn(path)
    await writeSmallHistory(first)
    await first.close()
    const opened = await openOn(path, { seed: 2 })
    await opened.me.attachStack(opened.stack)
    await opened.me.note('only in the -wal')
    const { seq } = await headOf(opened.store)
    const copy = join(dirname(path), 'copy', 'demo.db')
    mkdirSync(dirname(copy))
    for (const end of ['', '-head']) copyFileSync(path + end, copy + end)
    await opened.close()

    const found = await openOn(copy, { seed: 3 })
    await found.me.attachStack(found.stack)
    const { seq: last } = await headOf(found.store)
    expect(last).toBeLessThan(seq)
    await expect(found.me.note('on top of a loss')).rejects.toMatchObject({
      code: 'data_loss',
      facts: { head: seq, last },
    })
    expect(await found.stack.audit()).toMatchObject({ ok: true })
    await found.close()
  })
})

test('a -wal that came along is read, and nothing is missed', async () => {
  const path = ownPath()
  const opened = await openOn(path)
  await writeSmallHistory(opened)
  const copy = join(dirname(path), 'copy', 'demo.db')
  mkdirSync(dirname(copy))
  for (const end of ['', '-wal', '-head']) copyFileSync(path + end, copy + end)
  const head = await headOf(opened.store)
  await opened.close()
  const found = await openOn(copy, { seed: 2 })
  expect(await headOf(found.store)).toEqual(head)
  expect(await found.stack.audit()).toMatchObject({ ok: true })
  await found.me.attachStack(found.stack)
  await found.me.note('life goes on')
  await found.close()
})
