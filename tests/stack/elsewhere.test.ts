import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { elsewhere, threadOptions } from '../../src/compose/elsewhere.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Stack } from '../../src/stack.ts'
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
  expect((await stack.ledger.audit()).problems.map(({ code }) => code)).toContain('row.mismatch')
  const rebuilding = stack.ledger.rebuild()
  const meanwhile = entity.note('said while rows were rebuilt')
  expect((await rebuilding).memories).toBeGreaterThanOrEqual(2 * NOTES)
  await meanwhile
  expect(await stack.ledger.audit()).toMatchObject({ ok: true, problems: [] })
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
    await expect(stack.ledger.rebuild()).rejects.toMatchObject({
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
  await stack.ledger.rebuild() // leaves the room of the rows it replaced
  const { head } = await stack.ledger.audit()
  const notes = await stack.list('note', { limit: 1_000 })
  const vacuuming = elsewhere({ work: 'vacuum', path: file, stackId: stack.stackId })
  expect(await stack.list('note', { limit: 1_000 })).toEqual(notes)
  await vacuuming
  const { size } = statSync(file)
  await elsewhere({ work: 'vacuum', path: file, stackId: stack.stackId })
  expect(statSync(file).size).toBe(size)
  expect(await stack.ledger.audit()).toMatchObject({ ok: true, head })
  await entity.note('and it goes on')
  expect(await stack.ledger.audit()).toMatchObject({ ok: true })
  await stack.close()
})

const INDEX = new URL('../../src/index.ts', import.meta.url).href

/** Opens a long stack and asks for everything that another thread does. */
const LONG_WORK = `
const { Entity, openStack } = await import(process.argv[1])
const stack = await openStack('long', { home: process.argv[2] })
const agent = new Entity('core')
await agent.attachStack(stack)
const notes = Array.from({ length: ${NOTES} }, (_, at) => agent.note('note number ' + at))
const [first] = await Promise.all(notes)
const audit = await stack.ledger.audit()
const { entries } = await stack.ledger.rebuild()
const { scrubbed, certificate } = await stack.erasure.erase(first.ref)
await stack.close()
const again = await openStack('long', { home: process.argv[2] })
const { ok } = await again.ledger.audit()
await again.close()
console.log(JSON.stringify({ ok: audit.ok && ok, rebuilt: entries > 0, scrubbed, certified: certificate !== null }))
`

const workOf = (options: readonly string[]) => {
  const args = [...options, '--input-type=module', '-e', LONG_WORK, INDEX, ownFolder()]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { stdout: stdout.trim(), stderr }
}

const ALL_DONE = {
  stdout: JSON.stringify({ ok: true, rebuilt: true, scrubbed: true, certified: true }),
  stderr: '',
}

test.each([
  ['no option', []],
  ['a larger heap', ['--max-old-space-size=4096']],
  ['a title and a collector to call', ['--title=agent', '--expose-gc']],
])('long work is done in a process that was started with %s', (_, options) => {
  expect(workOf(options)).toEqual(ALL_DONE)
})

test('a thread gets the permissions of its process, and no option that only a process can have', () => {
  const bound = ['--permission', '--allow-fs-read=*', '--allow-fs-write', '/tmp', '--allow-worker']
  const plain = ['--experimental-strip-types', '--disable-warning', 'ExperimentalWarning']
  const others = ['--max-old-space-size=4096', '--input-type', 'module', '--import', './hook.mjs']
  expect(threadOptions([...others, ...bound, ...plain])).toEqual([...bound, ...plain])
})
