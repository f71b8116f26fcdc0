import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { holds } from '../support/holds.ts'
import { ownPath } from './support/folder.ts'
import { DEMO } from './support/history.ts'
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
    expect(await opened.stack.ledger.audit()).toMatchObject({
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
    const problems = [
      { code: 'head.rollback', seq: last, detail: expect.stringContaining(`${seq}`) },
    ]
    for (const only of [{}, { only: 'chain' }] as const) {
      expect(await found.stack.ledger.audit(only)).toMatchObject({
        ok: false,
        mark: null,
        problems,
      })
    }
    const lost = { code: 'data_loss', facts: { head: seq, last } }
    await expect(found.stack.getNotes()).rejects.toMatchObject(lost)
    await expect(found.store.backup(`${copy}.copy`)).rejects.toMatchObject(lost)
    await expect(
      found.stack.transfer.bundle()[Symbol.asyncIterator]().next(),
    ).rejects.toMatchObject(lost)
    await found.close()

    rmSync(`${copy}-head`) // goes on with what is left, as the hint says
    const rest = await openOn(copy, { seed: 4 })
    await rest.me.attachStack(rest.stack)
    await rest.me.note('life goes on')
    expect(await rest.stack.ledger.audit()).toMatchObject({ ok: true })
    await rest.close()
  })
})

describe('a log or a witness without its file', () => {
  const LOSSES = [
    ['deleted', (path: string) => rmSync(path)],
    ['emptied', (path: string) => truncateSync(path)],
  ] as const
  const LEFT = [['-wal'], ['-head'], ['-wal', '-head']] as const
  const cases = LOSSES.flatMap(([how, lose]) => LEFT.map((left) => [how, left, lose] as const))

  describe.each(cases)('where the file was %s and %s is left', (_, left, lose) => {
    holds(
      ['LEDGER-DETECT', 'STORE-ACKED'],
      'is neither read nor written, and stays as it is',
      async () => {
        const path = ownPath()
        const opened = await openOn(path)
        await writeSmallHistory(opened)
        const copy = join(dirname(path), 'copy', 'demo.db')
        mkdirSync(dirname(copy))
        for (const end of ['', ...left]) copyFileSync(path + end, copy + end)
        const head = await headOf(opened.store)
        await opened.close()
        const kept = join(dirname(path), 'kept.db')
        renameSync(copy, kept)
        copyFileSync(kept, copy)
        lose(copy)
        const before = left.map((end) => readFileSync(copy + end))

        await expect(openOn(copy)).rejects.toMatchObject({ code: 'data_loss' })
        const store = new SqliteStore({ path: copy })
        const writing = store.exclusively(DEMO, async () => undefined)
        await expect(writing).rejects.toMatchObject({ code: 'data_loss' })
        await store.close()
        expect(left.map((end) => readFileSync(copy + end))).toEqual(before)

        if (!(left as readonly string[]).includes('-wal')) return
        renameSync(kept, copy) // with its file back, the log has every entry
        const found = await openOn(copy)
        expect(await headOf(found.store)).toEqual(head)
        await found.close()
      },
    )
  })
})

holds('STORE-ACKED', 'a file that is emptied under an open stack takes no write', async () => {
  const path = ownPath()
  const opened = await openOn(path)
  await writeSmallHistory(opened)
  truncateSync(path)
  await expect(opened.me.note('acknowledged to nobody')).rejects.toMatchObject({
    code: 'data_loss',
    message: expect.stringContaining('is empty'),
  })
  await opened.close()
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
  expect(await found.stack.ledger.audit()).toMatchObject({ ok: true })
  await found.me.attachStack(found.stack)
  await found.me.note('life goes on')
  await found.close()
})
