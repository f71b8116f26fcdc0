import { expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { Entity } from '../../src/core/entity.ts'
import { label } from '../../src/domain/labels.ts'
import { postgres } from '../../src/stores/postgres/index.ts'
import { holds } from '../support/holds.ts'
import { ownDatabase } from './support/database.ts'
import { ownHome } from './support/home.ts'

const database = await ownDatabase()

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
      'The night ferry to Kirkwall leaves from the northern pier at nine o clock',
      { session: 'talk', label: label.modelDerived() },
    )
    expect(echo.rule).toBe('echo')
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

test('what is asked under a key is known to every process, and forgotten by an erasure', async () => {
  const stores = [1, 2].map(() => postgres({ connectionString: database.url, poolSize: 1 }))
  const home = ownHome()
  const [here, there] = await Promise.all(
    stores.map((store) => openStack('keyed', { store, home })),
  )
  if (!here || !there) throw new Error('both were opened')
  const asked = { key: 'k', request: 'r' }
  expect(await here.once(asked, async () => 'done here')).toMatchObject({ isReplay: false })
  const again = await there.once(asked, () => Promise.reject(new Error('not again')))
  expect(again).toEqual({ answer: 'done here', isReplay: true })
  const otherwise = there.once({ ...asked, request: 'another' }, async () => 'x')
  await expect(otherwise).rejects.toMatchObject({ code: 'id_exists' })
  const me = new Entity('agent')
  await me.attachStack(here)
  const { ref } = await me.note('to be erased')
  await here.erase(ref)
  expect(await there.once(asked, async () => 'done anew')).toMatchObject({ isReplay: false })
  await Promise.all([here.close(), there.close()])
  await Promise.all(stores.map((store) => store.close()))
})
