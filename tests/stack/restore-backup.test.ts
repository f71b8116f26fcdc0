import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { restoreStack } from '../../src/compose/restore-stack.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { ownFolder } from '../sqlite/support/folder.ts'

/** A stack with a backup of its first note, and a second note under a signed head. */
async function scene() {
  const home = ownFolder()
  const file = join(home, 'stacks', 'demo.db')
  const stack = await openStack('demo', { home })
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  const first = await me.note('The first')
  const from = join(home, 'copy.db')
  const store = new SqliteStore({ path: file })
  await store.backup(from)
  await store.close()
  await me.note('The second')
  await stack.ledger.checkpoint()
  return { home, file, from, stack, first: first.ref }
}

const textsOf = async (stack: Awaited<ReturnType<typeof openStack>>) =>
  (await stack.getNotes()).map(({ text }) => text)

describe('a backup', () => {
  test('comes back in place of the stack, which is set aside whole', async () => {
    const { home, file, from, stack, first } = await scene()
    await stack.close()
    const copy = await restoreStack('demo', { home, from, replace: true })
    expect(await textsOf(copy)).toEqual(['The first'])
    await new Entity('me').attachStack(copy)
    expect(await copy.ledger.checkpoint()).toMatchObject({
      size: (await copy.ledger.head()).seq + 1,
    })
    expect((await copy.erasure.erase(first)).certificate).not.toBeNull()
    expect((await copy.ledger.audit()).problems).toEqual([])
    await copy.close()
    expect(readdirSync(`${file}.replaced`)).toContain('demo.db')
    expect(statSync(`${file}.replaced`).mode & 0o777).toBe(0o700)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('takes the place of no stack unless asked to', async () => {
    const { home, file, from, stack } = await scene()
    await stack.close()
    await expect(restoreStack('demo', { home, from })).rejects.toMatchObject({
      code: 'stack_not_empty',
    })
    const same = await openStack('demo', { home })
    expect(await textsOf(same)).toEqual(['The second', 'The first'])
    await same.close()
    expect(existsSync(`${file}.replaced`)).toBe(false)
  })

  test('is not mixed with what a crash left beside the file', async () => {
    const { home, file, from, stack } = await scene()
    const left = join(home, 'left')
    copyFileSync(`${file}-wal`, left) // as it lies there while the stack is open
    await stack.close()
    rmSync(file)
    copyFileSync(left, `${file}-wal`)
    const copy = await restoreStack('demo', { home, from })
    expect(await textsOf(copy)).toEqual(['The first'])
    await copy.ledger.checkpoint()
    await copy.close()
  })

  test('comes back only under its own name, and only as a file', async () => {
    const { home, from, stack } = await scene()
    await stack.close()
    await expect(restoreStack('other', { home, from })).rejects.toThrow()
    expect(existsSync(join(home, 'stacks', 'other.db'))).toBe(false)
    await expect(restoreStack('demo', { path: ':memory:', from })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  test('put there by hand, below heads that were signed: nothing is read, and nothing is erased', async () => {
    const { home, file, from, stack, first } = await scene()
    await stack.close()
    for (const end of ['', '-wal', '-shm', '-head']) rmSync(file + end, { force: true })
    copyFileSync(from, file)
    const copy = await openStack('demo', { home })
    const lost = { code: 'data_loss', hint: expect.stringContaining('muniment stack restore') }
    await expect(copy.erasure.erase(first)).rejects.toMatchObject(lost)
    await expect(textsOf(copy)).rejects.toMatchObject(lost)
    await copy.close()
  })
})
