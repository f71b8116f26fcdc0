import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { elsewhere } from '../../src/compose/elsewhere.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { Entity } from '../../src/core/entity.ts'
import type { Stack } from '../../src/stack/stack.ts'
import { ownFolder } from '../sqlite/support/folder.ts'
import { vandalise, vandaliseNeatly } from '../sqlite/support/raw.ts'
import { holds } from '../support/holds.ts'

const NOTES = 1_100 // two entries each: long enough to be worth a thread

/** A stack in a file that is long enough for its long work to be done in another thread. */
async function longStack(): Promise<{ stack: Stack; entity: Entity; file: string }> {
  const home = ownFolder()
  const stack = await openStack('long', { home })
  const entity = new Entity('core')
  await entity.attachStack(stack)
  await Promise.all(Array.from({ length: NOTES }, (_, at) => entity.note(`note number ${at}`)))
  return { stack, entity, file: join(home, 'stacks', 'long.db') }
}

holds('STORE-REBUILD', 'rows are rebuilt in another thread while the stack is in use', async () => {
  const { stack, entity, file } = await longStack()
  const before = await stack.list('note', { limit: 1_000 })
  vandaliseNeatly(file, "UPDATE memories SET tier = 0; DELETE FROM memories WHERE kind = 'raw'")
  expect((await stack.audit()).problems.map(({ code }) => code)).toContain('row.mismatch')
  const rebuilding = stack.rebuild()
  const meanwhile = entity.note('said while rows were rebuilt')
  expect((await rebuilding).memories).toBeGreaterThanOrEqual(2 * NOTES)
  await meanwhile
  expect(await stack.audit()).toMatchObject({ ok: true, problems: [] })
  const after = await stack.list('note', { limit: 1_000 })
  expect(after.slice(1)).toEqual(before.slice(0, 999))
  await stack.close()
})

holds(
  'STORE-REBUILD',
  'what stops a rebuild in another thread is named as it is in this one',
  async () => {
    const { stack, file } = await longStack()
    vandalise(file, 'DELETE FROM sealed WHERE seq = 7')
    await expect(stack.rebuild()).rejects.toMatchObject({
      name: 'MunimentError',
      code: 'data_loss',
      hint: expect.stringContaining('Restore a backup'),
      facts: { code: 'sealed.missing', seq: 7 },
    })
    await stack.close()
  },
)

test('a vacuum gives room back and changes nothing that is said', async () => {
  const { stack, entity, file } = await longStack()
  await stack.rebuild() // leaves the room of the rows it replaced
  const { head } = await stack.audit()
  const notes = await stack.list('note', { limit: 1_000 })
  const vacuuming = elsewhere({ work: 'vacuum', path: file, stackId: stack.stackId })
  expect(await stack.list('note', { limit: 1_000 })).toEqual(notes)
  await vacuuming
  const { size } = statSync(file)
  await elsewhere({ work: 'vacuum', path: file, stackId: stack.stackId })
  expect(statSync(file).size).toBe(size)
  expect(await stack.audit()).toMatchObject({ ok: true, head })
  await entity.note('and it goes on')
  expect(await stack.audit()).toMatchObject({ ok: true })
  await stack.close()
})
