import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Entity, openStack } from '../../src/index.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { holds } from '../support/holds.ts'
import { freshEntity } from './support.ts'

async function library(count: number) {
  const { me, stack } = await freshEntity()
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    const { id } = await me.raw(`number ${index}`)
    ids.unshift(id)
    if (index % 3 === 0) await me.note(`note ${index}`)
  }
  return { stack, ids, me }
}

holds(
  'BOUND-LOUD',
  'pages follow one another, newest first, with no gap and no repeat',
  async () => {
    const { stack, ids } = await library(30)
    const own = new Set(ids)
    const found: string[] = []
    for (let after: string | undefined; ; ) {
      const page = await stack.getRaw({ limit: 7, ...(after === undefined ? {} : { after }) })
      found.push(...page.map(({ id }) => id))
      after = page.at(-1)?.id
      if (page.length < 7) break
    }
    expect(found.filter((id) => own.has(id))).toEqual(ids)
    expect(new Set(found).size).toBe(found.length)
  },
)

test('what is written between two pages changes neither of them', async () => {
  const { stack, me } = await library(10)
  const first = await stack.getRaw({ limit: 5 })
  const after = first.at(-1)?.id ?? ''
  const expected = await stack.getRaw({ limit: 5, after })
  await me.raw('in between')
  expect(await stack.getRaw({ limit: 5, after })).toEqual(expected)
})

test('fifty are given when nobody says how many, and none when none are asked for', async () => {
  const { stack } = await library(60)
  expect(await stack.getRaw()).toHaveLength(50)
  expect(await stack.getRaw({ limit: 0 })).toEqual([])
  expect(await stack.getBeliefs()).toEqual([])
})

test('part of an id finds its memory, and says so when it could be several', async () => {
  const { stack, ids } = await library(3)
  const [newest = ''] = ids
  expect(await stack.lookup.resolveRef(newest.slice(-6))).toBe(`raw:${newest}`)
  expect(await stack.lookup.resolveRef(`raw:${newest.slice(-6)}`)).toBe(`raw:${newest}`)
  expect(await stack.lookup.resolveRef(`raw:${newest}`)).toBe(`raw:${newest}`)
  await expect(stack.lookup.resolveRef(newest.slice(0, 8))).rejects.toMatchObject({
    code: 'invalid_ref',
  })
  await expect(stack.lookup.resolveRef('ffff')).rejects.toMatchObject({ code: 'not_found' })
  await expect(stack.lookup.resolveRef('100%')).rejects.toMatchObject({ code: 'invalid_ref' })
})

test('what lists show of an id may be cut off at either side', async () => {
  for (const store of [new MemoryStore(), new SqliteStore({ path: ':memory:' })]) {
    const stack = await openStack('test', { store })
    const me = new Entity('me')
    await me.attachStack(stack)
    for (const text of ['one', 'two']) {
      await setTimeout(2) // ids of one millisecond differ in their last digits alone
      const { ref, id } = await me.raw(text)
      const shown = String(id).slice(-8)
      expect(await stack.lookup.resolveRef(shown.slice(0, 6))).toBe(ref)
      expect(await stack.lookup.resolveRef(`raw:${shown.slice(0, 6)}`)).toBe(ref)
      expect(await stack.lookup.resolveRef(shown.slice(2))).toBe(ref)
    }
    await stack.close()
  }
})

test('stats count by kind, and altogether', async () => {
  const { stack } = await library(3)
  expect(await stack.getStats()).toEqual({ raw: 4, note: 1, total: 5 })
})
