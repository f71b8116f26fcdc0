import { join } from 'node:path'
import { expect, test } from 'vitest'
import { moveStack } from '../../src/compose/move-stack.ts'
import { openStack, placeOf } from '../../src/compose/open-stack.ts'
import { Entity } from '../../src/core/entity.ts'
import { parseStackId } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import { scratch } from '../cli/support/scratch.ts'
import { ownDatabase } from './support/database.ts'

const DEMO = parseStackId('demo')

type Where = Parameters<typeof moveStack>[1]['from']

/** What a place knows of what was served: floors, and receipts with their prints. */
async function servedAt(where: Where) {
  const { store, receipts, release } = await placeOf(DEMO, where)
  const floors = await store.read(DEMO, { type: 'floors' })
  const all = await receipts.all()
  await receipts.close()
  await release()
  return { floors, receipts: all }
}

test('what sessions were served moves with a stack, there and back: nobody counts for more in the copy', async () => {
  const database = await ownDatabase()
  const home = scratch()
  const [here, there, back] = [
    { home },
    { home, store: database.url },
    { home: join(home, 'back') },
  ] as const
  const stack = await openStack('demo', here)
  const me = new Entity('agent')
  await me.attachStack(stack)
  await me.note('The ferry leaves at nine', { label: label.modelDerived() })
  await me.note('The ferry is blue', { label: label.userAsserted() })
  for (const session of ['morning', 'evening']) {
    for (const turn of ['1', '2']) await stack.search('ferry', { session, turn })
  }
  await stack.close()
  const before = await servedAt(here)
  expect(before.floors.length).toBeGreaterThan(1)
  expect(before.receipts.filter(({ print }) => print !== null).length).toBeGreaterThan(4)
  await moveStack('demo', { from: here, to: there })
  expect(await servedAt(there)).toEqual(before)
  await moveStack('demo', { from: there, to: back })
  expect(await servedAt(back)).toEqual(before)
})

test('a stack that is in the way keeps its own floors', async () => {
  const database = await ownDatabase()
  const [home, other] = [scratch(), scratch()]
  for (const where of [{ home }, { home: other, store: database.url }]) {
    const stack = await openStack('demo', where)
    const me = new Entity('agent')
    await me.attachStack(stack)
    await me.note('The ferry leaves at nine', { label: label.modelDerived() })
    if (!('store' in where)) await stack.search('ferry', { session: 'morning' })
    await stack.close()
  }
  const there = { home: other, store: database.url }
  const moving = moveStack('demo', { from: { home }, to: there })
  await expect(moving).rejects.toMatchObject({ code: 'stack_not_empty' })
  expect((await servedAt({ home })).floors).not.toEqual([])
  expect((await servedAt(there)).floors).toEqual([])
})
