import path from 'node:path'
import { expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { scratch } from '../cli/support/scratch.ts'

test('a stack whose name differs by capitals alone is not made beside another', async () => {
  const home = scratch()
  const work = await openStack('work', { home })
  await work.control.activate()
  await work.close()
  await expect(openStack('Work', { home })).rejects.toMatchObject({
    code: 'id_exists',
    facts: { stackId: 'work' },
  })
  for (const id of ['work', 'work2']) {
    const stack = await openStack(id, { home })
    await stack.close()
  }
})

test('where both are there already, each is opened by its own name', async () => {
  const home = scratch()
  const ids = ['Team', 'team']
  for (const id of ids) {
    const stack = await openStack(id, { path: path.join(home, 'stacks', `${id}.db`), home })
    await stack.control.activate()
    await stack.close()
  }
  for (const id of ids) await (await openStack(id, { home })).close()
})
