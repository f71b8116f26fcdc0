import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { moveStack } from '../../src/compose/move-stack.ts'
import { openStack, placeOf } from '../../src/compose/open-stack.ts'
import { parseStackId } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import { scratch } from '../cli/support/scratch.ts'
import { ownDatabase } from './support/database.ts'

const DEMO = parseStackId('demo')

type Where = Parameters<typeof moveStack>[1]['from']

/** Receipts of a place, with their prints. */
async function servedAt(where: Where) {
  const { receipts, release } = await placeOf(DEMO, where)
  const all = await receipts.all()
  await receipts.close()
  await release()
  return all
}

test('what sessions were served moves with a stack, there and back', async () => {
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
  expect(before.filter(({ print }) => print !== null).length).toBeGreaterThan(4)
  await moveStack('demo', { from: here, to: there })
  expect(await servedAt(there)).toEqual(before)
  await moveStack('demo', { from: there, to: back })
  expect(await servedAt(back)).toEqual(before)
})
