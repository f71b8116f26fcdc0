import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { restoreStack } from '../../src/compose/restore-stack.ts'
import { LIMITS } from '../../src/domain/limits.ts'
import type { Stack } from '../../src/stack.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { longHistory } from '../ledger/history.ts'
import { ownFolder } from '../sqlite/support/folder.ts'
import { errorOf, linesOf } from './bundles.ts'

/** Characters that some readers take for the end of a line. */
const ENDS = 'one\u2028two\u2029three\u0085four\r\nfive\vsix'

async function written(folder: string): Promise<{ stack: Stack; me: Entity; from: string }> {
  const stack = await openStack('demo', { home: join(folder, 'home'), ...fakeWorld() })
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  const note = await me.note(ENDS)
  await me.belief('Lines end where they end', { derivedFrom: [note.ref] })
  const from = join(folder, 'demo.bundle')
  writeFileSync(from, (await linesOf(stack.transfer.bundle())).join(''))
  return { stack, me, from }
}

describe('restoreStack', () => {
  test('brings back ids, dates, provenance and head from a file', async () => {
    const folder = ownFolder()
    const { stack, from } = await written(folder)
    const copy = await restoreStack('demo', {
      ...fakeWorld(),
      from,
      home: join(folder, 'elsewhere'),
    })
    expect(await copy.getNotes()).toEqual(await stack.getNotes())
    expect(await copy.getBeliefs()).toEqual(await stack.getBeliefs())
    const report = await copy.ledger.audit()
    expect(report.problems).toEqual([])
    expect(report.head).toEqual((await stack.ledger.audit()).head)
    expect(await linesOf(copy.transfer.bundle())).toEqual(await linesOf(stack.transfer.bundle()))
    await copy.close()
    await stack.close()
  })

  test('a copy elsewhere goes on as a replica of its own', async () => {
    const folder = ownFolder()
    const { stack, from } = await written(folder)
    const before = await linesOf(stack.transfer.bundle())
    const home = join(folder, 'elsewhere')
    const copy = await restoreStack('demo', { from, home })
    const me = new Entity('my-agent')
    await me.attachStack(copy)
    await me.raw('written by the copy')
    const after = await linesOf(copy.transfer.bundle())
    const entries = JSON.parse(before[0] ?? '').counts.entries
    expect(after.slice(1, entries + 1)).toEqual(before.slice(1, entries + 1))
    expect(JSON.parse(after[entries + 1] ?? '').op).toBe('replica.started')
    expect((await copy.ledger.audit()).ok).toBe(true)
    await copy.close()
    await stack.close()
  })

  test('takes lines as they come from another stack, in memory too', async () => {
    const { stack } = await longHistory()
    const copy = await restoreStack('demo', { from: stack.transfer.bundle(), path: ':memory:' })
    expect((await copy.ledger.audit()).head).toEqual((await stack.ledger.audit()).head)
    await copy.close()
  })

  test('a bundle is of one stack and becomes no other', async () => {
    const folder = ownFolder()
    const { stack, from } = await written(folder)
    const path = join(folder, 'other.db')
    expect((await errorOf(restoreStack('other', { from, path }))).code).toBe('scope')
    expect(existsSync(path)).toBe(false)
    const there = await errorOf(restoreStack('demo', { from, home: join(folder, 'home') }))
    expect(there.code).toBe('stack_not_empty')
    await stack.close()
  })

  test('a file that is cut, too long, no text or not there leaves no stack behind', async () => {
    const folder = ownFolder()
    const { stack } = await written(folder)
    const whole = Buffer.from((await linesOf(stack.transfer.bundle())).join(''))
    const path = join(folder, 'new.db')
    const from = join(folder, 'damaged.bundle')
    const codeFor = async (bytes: Uint8Array): Promise<string> => {
      writeFileSync(from, bytes)
      const { code } = await errorOf(restoreStack('demo', { from, path }))
      expect(existsSync(path)).toBe(false)
      return code
    }
    expect(await codeFor(whole.subarray(0, whole.length / 2))).toBe('invalid_bundle')
    expect(await codeFor(whole.subarray(0, -2))).toBe('invalid_bundle')
    expect(await codeFor(Buffer.concat([whole, whole]))).toBe('invalid_bundle')
    expect(await codeFor(whole.with(whole.indexOf('\u2028') + 1, 0xff))).toBe('invalid_bundle')
    expect(await codeFor(Buffer.from(whole.toString().replaceAll('\n', '\r\n')))).toBe(
      'invalid_bundle',
    )
    expect(await codeFor(Buffer.alloc(LIMITS.jsonBytesMax + 1, 'x'))).toBe('limit_exceeded')
    expect(await codeFor(new Uint8Array())).toBe('invalid_bundle')
    const gone = await errorOf(restoreStack('demo', { from: join(folder, 'none'), path }))
    expect(gone.code).toBe('not_found')
    await stack.close()
  })
})
