import { expect } from 'vitest'
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
