import { afterAll, describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { parseStackId, type Ref } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import { toInstant } from '../../src/domain/time.ts'
import { postgres } from '../../src/stores/postgres/index.ts'
import { runReceiptsSuite } from '../conformance/receipts-suite.ts'
import { holds } from '../support/holds.ts'
import { ownDatabase } from './support/database.ts'
import { ownHome } from './support/home.ts'

const database = await ownDatabase()

describe('receipts in Postgres', () => {
  const store = postgres({ connectionString: database.url, poolSize: 1 })
  afterAll(() => store.close())
  let stacks = 0
  runReceiptsSuite(() => {
    stacks += 1
    return store.receiptsFor(parseStackId(`receipts-${stacks}`))
  })
})

holds(
  ['FIREWALL-ECHO', 'READ-QUIET'],
  'what one process was served is known again by another that works with the same stack',
  async () => {
    const home = ownHome()
    const open = async () => {
      const store = postgres({ connectionString: database.url, poolSize: 3 })
      const stack = await openStack('demo', { store, home })
      const me = new Entity('agent', { modelId: 'test:model' })
      await me.attachStack(stack)
      return { store, stack, me }
    }
    const [one, other] = [await open(), await open()]
    await one.me.note('The night ferry to Kirkwall leaves from the northern pier at nine', {
      label: label.userAsserted(),
    })
    await one.stack.search('night ferry Kirkwall', { session: 'talk', actor: 'agent' })
    const echo = await other.me.note(
      'From the northern pier the night ferry to Kirkwall leaves at nine',
      { session: 'talk', label: label.modelDerived() },
    )
    expect(echo.reasons).toEqual(['rewording'])
    const { tip } = await one.store.read(one.stack.stackId, { type: 'standing' })
    await other.stack.search('night ferry', { session: 'talk', actor: 'agent' })
    const after = await one.store.read(one.stack.stackId, { type: 'standing' })
    expect(after.tip.head).toEqual(tip.head)
    for (const { stack, store } of [one, other]) {
      await stack.close()
      await store.close()
    }
  },
)

test('every print of a memory that a session was served is told once, the latest first', async () => {
  const store = postgres({ connectionString: database.url, poolSize: 1 })
  const receipts = store.receiptsFor(parseStackId('printed'))
  const time = toInstant(Date.parse('2026-01-01T00:00:00.000Z'))
  const ref = 'note:01980000-0000-7000-8000-000000000001' as Ref // the shape of one
  const by = { actor: 'test:host', door: 'lib', operation: 'search' } as const
  const one = { ...by, time, session: 's', turn: null, ref, tier: 1 } as const
  const [older, newer] = [Uint32Array.of(0, 0, 1), Uint32Array.of(0, 0, 2)]
  for (const print of [newer, older, newer]) await receipts.record([{ receipt: one, print }])
  const told = [newer, older].map((print) => ({ ref, print }))
  expect(await receipts.told('s', time)).toEqual(told)
  await store.close()
})

test('what is asked under a key is known to every process, and forgotten by an erasure', async () => {
  const stores = [1, 2].map(() => postgres({ connectionString: database.url, poolSize: 1 }))
  const home = ownHome()
  const [here, there] = await Promise.all(
    stores.map((store) => openStack('keyed', { store, home })),
  )
  if (!here || !there) throw new Error('both were opened')
  const asked = { key: 'k', request: 'r' }
  expect(await here.control.once(asked, async () => 'done here')).toMatchObject({ isReplay: false })
  const again = await there.control.once(asked, () => Promise.reject(new Error('not again')))
  expect(again).toEqual({ answer: 'done here', isReplay: true })
  const otherwise = there.control.once({ ...asked, request: 'another' }, async () => 'x')
  await expect(otherwise).rejects.toMatchObject({ code: 'id_exists' })
  const me = new Entity('agent')
  await me.attachStack(here)
  const { ref } = await me.note('to be erased')
  await here.erasure.erase(ref)
  expect(await there.control.once(asked, async () => 'done anew')).toMatchObject({
    isReplay: false,
  })
  await Promise.all([here.close(), there.close()])
  await Promise.all(stores.map((store) => store.close()))
})
