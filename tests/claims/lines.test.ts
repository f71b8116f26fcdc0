import { describe, expect, test } from 'vitest'
import { label, type Stack, type TimelinesPage } from '../../src/index.ts'
import { freshStack } from '../stack/support.ts'
import { BERLIN } from './support.ts'

const named = ({ lines }: TimelinesPage) =>
  lines.map(({ subject, predicate }) => [subject, predicate])

async function told(): Promise<Stack> {
  const { stack } = await freshStack()
  await stack.claims.remember('user', 'city', 'Berlin', { actor: 'ann' })
  await stack.claims.remember('orders', 'owner', 'Team Harbour', { actor: 'ann' })
  await stack.claims.remember('user', 'diet', 'vegan', { actor: 'ann' })
  await stack.claims.remember('user', 'city', 'Paris', { actor: 'bob' })
  return stack
}

describe('lines', () => {
  test('come once each, with what they come to, what was spoken of last first', async () => {
    const stack = await told()
    const { lines, before } = await stack.claims.timelines()
    expect(before).toBeNull()
    expect(lines).toMatchObject([
      { subject: 'user', predicate: 'city', standing: 'contested', valueCount: 2 },
      { subject: 'user', predicate: 'diet', standing: 'held', values: ['vegan'] },
      { subject: 'orders', predicate: 'owner', standing: 'held', values: ['Team Harbour'] },
    ])
    expect(lines[0]?.values).toEqual(expect.arrayContaining(['Berlin', 'Paris']))
  })

  test('come page by page, none twice and none left out', async () => {
    const stack = await told()
    const all = named(await stack.claims.timelines())
    const paged: string[][] = []
    for (let before: number | undefined; ; ) {
      const page: TimelinesPage = await stack.claims.timelines({
        limit: 1,
        ...(before === undefined ? {} : { before }),
      })
      paged.push(...named(page))
      if (page.before === null) break
      before = page.before
    }
    expect(paged).toEqual(all)
  })

  test('are found by words of what is claimed, and by beginnings of them, all at once', async () => {
    const stack = await told()
    const about = async (text: string) => named(await stack.claims.timelines({ about: text }))
    expect(await about('harb')).toEqual([['orders', 'owner']])
    expect(await about('user vegan')).toEqual([['user', 'diet']])
    expect(await about('user harbour')).toEqual([])
    expect(await about('user')).toHaveLength(2)
  })

  test('that wait for a verdict are found by themselves', async () => {
    const stack = await told()
    expect(named(await stack.claims.timelines({ contested: true }))).toEqual([['user', 'city']])
    await stack.claims.remember('orders', 'owner', 'Team Ferry', { actor: 'bob' })
    expect(named(await stack.claims.timelines({ contested: true }))).toEqual([
      ['orders', 'owner'],
      ['user', 'city'],
    ])
    await stack.claims.remember('user', 'city', 'Rome', { actor: 'eve' })
    const { lines, before } = await stack.claims.timelines({ contested: true, limit: 1 })
    expect(lines).toMatchObject([{ subject: 'user', valueCount: 3 }])
    const next = await stack.claims.timelines({ contested: true, before: Number(before) })
    expect(named(next)).toEqual([['orders', 'owner']])
    const person = { label: label.userAsserted() }
    for (const { ref } of await stack.review.list()) await stack.claims.retract(ref, person)
    expect(named(await stack.claims.timelines({ contested: true }))).toEqual([])
  })

  test('show the first of many values, and leave receipts for those', async () => {
    const { stack } = await freshStack()
    for (const value of ['apple', 'pear', 'plum', 'fig', 'lime', 'kiwi', 'quince']) {
      await stack.claims.ingest({ ...BERLIN, predicate: 'likes', cardinality: 'SetValued', value })
    }
    const [line] = (await stack.claims.timelines({ session: 'one' })).lines
    expect(line).toMatchObject({ valueCount: 7, standing: 'held' })
    expect(line?.values).toHaveLength(5)
    const receipts = await stack.history.receipts('one')
    expect(new Set(receipts.map(({ ref }) => ref)).size).toBeLessThanOrEqual(6)
    expect(receipts.length).toBeGreaterThanOrEqual(5)
  })

  test('show nothing below the tier that a use takes, not even what it is about', async () => {
    const stack = await told()
    const body = { subject: 'user', predicate: 'mood', value: 'fine' }
    await stack.claims.ingest({ ...BERLIN, ...body, provenance: label.modelDerived() })
    expect(named(await stack.claims.timelines({ about: 'mood' }))).toEqual([['user', 'mood']])
    expect(named(await stack.claims.timelines({ about: 'mood', for: 'act' }))).toEqual([])
    await stack.claims.ingest({
      ...BERLIN,
      ...body,
      value: 'well',
      provenance: label.modelDerived(),
    })
    await stack.claims.ingest({
      ...BERLIN,
      ...body,
      predicate: 'city',
      value: 'Oslo',
      provenance: label.modelDerived(),
    })
    const [line] = (await stack.claims.timelines({ about: 'city', for: 'act' })).lines
    expect(line).toMatchObject({
      standing: 'contested',
      values: expect.not.arrayContaining(['Oslo']),
    })
  })

  test('that are kept out are passed over, and hide nothing behind them', async () => {
    const stack = await told()
    for (const subject of ['x', 'y', 'z'])
      await stack.claims.remember(subject, 'is', 'so', { actor: 'eve' })
    await stack.sources.distrust({ actor: 'eve' }, { basis: 'mistaken' } as never)
    const all = await stack.claims.timelines()
    expect(named(all)).toEqual([
      ['user', 'city'],
      ['user', 'diet'],
      ['orders', 'owner'],
    ])
    const { lines, before } = await stack.claims.timelines({ limit: 1 })
    expect(named({ lines, before })).toEqual([['user', 'city']])
    expect(named(await stack.claims.timelines({ before: Number(before) }))).toEqual(
      named(all).slice(1),
    )
  })

  test('of what is erased are gone', async () => {
    const stack = await told()
    await stack.erasure.erase({ subject: 'orders' }, { basis: 'requested' })
    expect(named(await stack.claims.timelines())).not.toContainEqual(['orders', 'owner'])
  })

  test.each([
    [{ limit: -1 }],
    [{ before: 1.5 }],
    [{ about: ' ' }],
    [{ contested: 'yes' }],
    [{ about: 'user', before: 9 }],
  ])('refuse %o', async (options) => {
    const stack = await told()
    await expect(stack.claims.timelines(options as never)).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })
})
