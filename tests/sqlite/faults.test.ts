import { describe, expect, test } from 'vitest'
import { MunimentError } from '../../src/domain/errors.ts'
import { faultOf } from '../../src/stores/sqlite/faults.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { holds } from '../support/holds.ts'
import { failingCommit, smallDisk } from './support/drivers.ts'
import { ownPath } from './support/folder.ts'
import { DEMO } from './support/history.ts'
import { headOf, openOn, writeSmallHistory } from './support/small-stack.ts'

const numbered = (errcode: number) => Object.assign(new Error('x'), { errcode })
const named = (code: string) => Object.assign(new Error('x'), { code })

describe('every fault has a code', () => {
  test.each([
    ['store_full', numbered(13)],
    ['store_full', named('SQLITE_FULL')],
    ['store_full', named('ENOSPC')],
    ['store_read_only', numbered(8)],
    ['store_read_only', numbered(8 | (4 << 8))],
    ['store_read_only', named('SQLITE_READONLY_DBMOVED')],
    ['store_read_only', named('EROFS')],
    ['store_corrupt', numbered(11)],
    ['store_corrupt', numbered(26)],
    ['store_corrupt', named('SQLITE_NOTADB')],
    ['store_corrupt', numbered(19 | (8 << 8))],
    ['store_corrupt', new SyntaxError('stored JSON')],
    ['store_busy', numbered(5)],
    ['store_busy', numbered(5 | (1 << 8))],
    ['store_busy', numbered(6)],
    ['store_unavailable', numbered(14)],
    ['store_unavailable', numbered(10 | (3 << 8))],
    ['store_unavailable', named('ENOENT')],
    ['store_corrupt', numbered(1)],
    ['store_unavailable', numbered(7)],
  ] as const)('%s', (code, cause) => {
    const error = faultOf(cause, '/srv/stacks/demo.db')
    expect(error).toBeInstanceOf(MunimentError)
    expect(error).toMatchObject({ code, cause, facts: { file: 'demo.db' } })
    expect(String(error)).not.toContain('srv')
  })

  test('what is no fault of the ground passes as it is', () => {
    const mistakes = [new TypeError('x is undefined'), named('ERR_INVALID_ARG_TYPE'), 'text']
    for (const mistake of mistakes) expect(faultOf(mistake, 'demo.db')).toBe(mistake)
    const coded = new MunimentError('scope', 'no')
    expect(faultOf(coded, 'demo.db')).toBe(coded)
  })
})

holds(
  ['LEDGER-ATOMIC', 'STORE-ACKED'],
  'a full disk refuses the write, loses nothing, and takes writes again when there is room',
  async () => {
    const path = ownPath()
    const { driver, makeRoom } = smallDisk(60)
    const opened = await openOn(path, { driver })
    const { me, stack, store } = opened
    await me.attachStack(stack)
    const acked: string[] = []
    const fill = async (): Promise<void> => {
      for (let count = 0; count < 200; count += 1) {
        const { id } = await me.note(`words that take room, part ${count} ${'x'.repeat(2_000)}`)
        acked.push(id ?? '')
      }
    }
    await expect(fill()).rejects.toMatchObject({ code: 'store_full' })
    const head = await headOf(store)
    await expect(me.note('still no room '.repeat(900))).rejects.toMatchObject({
      code: 'store_full',
    })
    expect(await headOf(store)).toEqual(head)
    expect(await stack.ledger.audit()).toMatchObject({ ok: true })
    for (const id of acked) expect(await stack.getMemory('note', id)).not.toBeNull()
    makeRoom()
    await me.note('room again '.repeat(900))
    expect(await stack.ledger.audit()).toMatchObject({ ok: true })
    await opened.close()
  },
)

holds(
  'LEDGER-ATOMIC',
  'a COMMIT that fails leaves nothing behind and a store that goes on',
  async () => {
    const { driver, arm } = failingCommit()
    const opened = await openOn(ownPath(), { driver })
    const { me, stack, store } = opened
    await writeSmallHistory(opened)
    const head = await headOf(store)
    arm('before')
    await expect(me.note('not written')).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await headOf(store)).toEqual(head)
    await me.note('written after all')
    expect(await stack.ledger.audit()).toMatchObject({ ok: true })
    await opened.close()
  },
)

holds('STORE-ACKED', 'a COMMIT that was made is seen, whatever was said of it', async () => {
  const { driver, arm } = failingCommit()
  const opened = await openOn(ownPath(), { driver })
  const { me, stack } = opened
  await writeSmallHistory(opened)
  arm('after')
  const { id } = await me.note('written, though an error came back')
  expect(await stack.getMemory('note', id ?? '')).not.toBeNull()
  await me.note('and on it goes')
  expect(await stack.ledger.audit()).toMatchObject({ ok: true })
  await opened.close()
})

test('a file opened for reading only can be read, and says so when it is written', async () => {
  const path = ownPath()
  const first = await openOn(path)
  const { belief } = await writeSmallHistory(first)
  await first.close()
  const opened = await openOn(path, { readOnly: true, seed: 2 })
  expect((await opened.stack.history.why(belief.ref ?? '')).lineage.length).toBe(3)
  expect(await opened.stack.ledger.audit()).toMatchObject({ ok: true })
  await opened.me.attachStack(opened.stack)
  await expect(opened.me.note('no')).rejects.toMatchObject({ code: 'store_read_only' })
  await opened.close()
})

test('a clock that went back stands still in the ledger until it has caught up', async () => {
  const path = ownPath()
  const first = await openOn(path, { minutesLater: 90 })
  await writeSmallHistory(first)
  const { time } = (await first.store.read(DEMO, { type: 'standing' })).tip
  await first.close()
  const opened = await openOn(path, { seed: 2 })
  await opened.me.attachStack(opened.stack)
  await opened.me.note('an hour and a half too early')
  expect((await opened.store.read(DEMO, { type: 'standing' })).tip.time).toBe(time)
  expect(await opened.stack.ledger.audit()).toMatchObject({ ok: true })
  await opened.close()
})

test('a closed store answers nothing, and closing twice is closing once', async () => {
  const store = new SqliteStore({ path: ownPath() })
  await store.close()
  await store.close()
  const closed = { code: 'store_unavailable' }
  await expect(store.read(DEMO, { type: 'counts' })).rejects.toMatchObject(closed)
  await expect(store.backup('x')).rejects.toMatchObject(closed)
})
