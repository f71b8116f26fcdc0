import { describe, expect, test } from 'vitest'
import { at, entriesOf } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { idOf, memoryOf, smallFamily } from './support.ts'

const flagsOf = async (family: Awaited<ReturnType<typeof smallFamily>>, ref: 'belief' | 'value') =>
  (await memoryOf(family.stack, family[ref])).flags.map(({ code, by }) => [code, by])

describe('what becomes of a source is felt by what was made from it', () => {
  holds('P-37', 'forgetting it flags its children on the record, and no further', async () => {
    const family = await smallFamily()
    const { stack, store, episode, belief } = family
    expect(await stack.forgetMemory('episode', idOf(episode), 'wrong day')).toBe(true)
    expect(await flagsOf(family, 'belief')).toEqual([['source_forgotten', episode]])
    expect(await flagsOf(family, 'value')).toEqual([])
    const told = entriesOf(store, stack).filter(({ op }) => op === 'memory.flagged')
    expect(told).toMatchObject([{ ref: belief, decision: { facts: { by: episode } } }])
    expect(await stack.review.list()).toMatchObject([
      { ref: belief, kind: 'ungrounded', reasons: expect.arrayContaining(['source_forgotten']) },
    ])
  })

  holds('P-38', 'weakening it across 0.2 flags its children, and only across', async () => {
    const family = await smallFamily()
    const { stack, episode } = family
    await stack.changes.weaken(episode, 0.5)
    expect(await flagsOf(family, 'belief')).toEqual([])
    await stack.changes.weaken(episode, 0.4)
    expect(await flagsOf(family, 'belief')).toEqual([['source_dormant', episode]])
    await stack.changes.weaken(episode, 0.05)
    expect(await flagsOf(family, 'belief')).toHaveLength(1)
  })

  holds(['P-37', 'P-38'], 'every child is flagged for the source that it lost', async () => {
    const { me, stack, episode, belief } = await smallFamily()
    const { ref: other } = await me.note('locks are slow')
    const statements = ['Locks cost an hour', 'Locks cost a day', 'Locks cost a week']
    const made = [belief]
    for (const statement of statements) {
      made.push((await me.belief(statement, { derivedFrom: [episode, other] })).ref)
    }
    const codes = async () => {
      const found = await Promise.all(made.map((ref) => memoryOf(stack, ref)))
      return found.map(({ flags }) => flags.map(({ code, by }) => [code, by]))
    }
    await stack.changes.weaken(episode, 0.9)
    expect(await codes()).toEqual(made.map(() => [['source_dormant', episode]]))
    await stack.forgetMemory('note', idOf(other), 'wrong day')
    expect(await codes()).toEqual([
      [['source_dormant', episode]],
      ...statements.map(() => [
        ['source_dormant', episode],
        ['source_forgotten', other],
      ]),
    ])
  })

  holds('CASCADE-FLAGS', 'children are flagged and not edited', async () => {
    const { stack, episode, belief } = await smallFamily()
    const before = await memoryOf(stack, belief)
    await stack.forgetMemory('episode', idOf(episode), 'wrong day')
    const after = await memoryOf(stack, belief)
    const { flags: _, review: __, ...rest } = after
    const { flags: ___, review: ____, ...was } = before
    expect(rest).toEqual(was)
  })

  holds('P-40', 'a belief whose every source is gone is ungrounded until one is back', async () => {
    const { me, stack, episode, belief } = await smallFamily()
    const other = await me.note('locks are slow')
    const two = await me.belief('Locks make deployments slow', {
      derivedFrom: [episode, other.ref],
    })
    await stack.forgetMemory('episode', idOf(episode), 'wrong day')
    expect((await stack.history.ungrounded()).map(({ ref }) => ref)).toEqual([belief])
    expect((await stack.load())._meta.ungrounded).toEqual([belief])
    expect(await stack.review.list()).toContainEqual(
      expect.objectContaining({ ref: belief, kind: 'ungrounded' }),
    )
    await stack.forgetMemory('note', other.id, 'wrong too')
    expect((await stack.history.ungrounded()).map(({ ref }) => ref)).toEqual([two.ref, belief])
    expect(await stack.recoverMemory('episode', idOf(episode))).toBe(true)
    expect(await stack.history.ungrounded()).toEqual([])
    const { flags, review } = await memoryOf(stack, belief)
    expect({ flags, review }).toEqual({ flags: [], review: null })
  })

  test('a belief made from what is gone already is ungrounded from its birth', async () => {
    const { me, stack, episode, belief } = await smallFamily()
    await stack.forgetMemory('episode', idOf(episode), 'wrong day')
    const late = await me.belief('Nobody should deploy', { derivedFrom: [episode] })
    expect((await stack.history.ungrounded()).map(({ ref }) => ref)).toEqual([late.ref, belief])
    expect((await stack.load())._meta.ungrounded).toContain(late.ref)
  })

  test('a review that keeps an ungrounded belief does not give it grounds', async () => {
    const { stack, episode, belief } = await smallFamily()
    await stack.forgetMemory('episode', idOf(episode), 'wrong day')
    expect(await stack.review.resolve(belief, 'keep')).toBe(true)
    expect(await stack.review.list()).toEqual([])
    expect((await stack.history.ungrounded()).map(({ ref }) => ref)).toEqual([belief])
    expect((await stack.load())._meta.ungrounded).toEqual([belief])
  })

  test('a belief that is itself forgotten is not asked for its grounds', async () => {
    const { stack, episode, belief } = await smallFamily()
    await stack.forgetMemory('episode', idOf(episode), 'wrong day')
    await stack.forgetMemory('belief', idOf(belief), 'that too')
    expect(await stack.history.ungrounded()).toEqual([])
  })

  test('a memory that fades below 0.2 by itself is said once, by maintenance', async () => {
    const family = await smallFamily()
    const { stack, clock, store } = family
    clock.advance({ days: 2_500 })
    const first = await stack.maintenance()
    expect(first.stack).toMatchObject({ dormant: expect.any(Number) })
    const count = entriesOf(store, stack).length
    await stack.maintenance()
    expect(entriesOf(store, stack)).toHaveLength(count)
  })
})

describe('forgetting', () => {
  test('is refused to what is protected, gone or forgotten already', async () => {
    const { stack, episode, value } = await smallFamily()
    expect(await stack.forgetMemory('value', idOf(value), 'no')).toBe(false)
    expect(await stack.forgetMemory('episode', idOf(episode), 'yes')).toBe(true)
    expect(await stack.forgetMemory('episode', idOf(episode), 'again')).toBe(false)
    const nobody = '00000000-0000-7000-8000-000000000000'
    expect(await stack.forgetMemory('episode', nobody, 'none')).toBe(false)
  })

  test('and recovering brings it back weak: out of get, in with includeWeak', async () => {
    const { stack, episode } = await smallFamily()
    await stack.forgetMemory('episode', idOf(episode), 'wrong day')
    expect(await stack.recoverMemory('episode', idOf(episode))).toBe(true)
    expect(await stack.recoverMemory('episode', idOf(episode))).toBe(false)
    expect((await memoryOf(stack, episode)).strength).toBe(0.2)
    expect(await stack.getEpisodes()).toEqual([])
    expect(await stack.getEpisodes({ includeWeak: true })).toHaveLength(1)
  })

  test("is not a model's to do to what was said first-hand: it asks, and a person answers", async () => {
    const { stack, episode } = await smallFamily()
    const model = at('mcp')
    expect(await stack.forgetMemory('episode', idOf(episode), 'obsolete', { caller: model })).toBe(
      false,
    )
    expect((await memoryOf(stack, episode)).strength).toBe(1)
    expect(await stack.review.list()).toMatchObject([{ ref: episode, kind: 'proposal' }])
    const person = at('cli', { person: true })
    expect(await stack.review.resolve(episode, 'accept', { caller: person })).toBe(true)
    expect((await memoryOf(stack, episode)).strength).toBe(0)
    expect(await stack.review.list({ kinds: ['proposal'] })).toEqual([])
  })
})

test('access strengthens by less each time, as in the original', async () => {
  const { stack, episode } = await smallFamily()
  await stack.changes.weaken(episode, 0.5)
  expect(await stack.recordAccess('episode', idOf(episode))).toBe(true)
  expect((await memoryOf(stack, episode)).strength).toBeCloseTo(0.52, 9)
  await stack.changes.weaken(episode, 0.02)
  await stack.recordAccess('episode', idOf(episode))
  expect((await memoryOf(stack, episode)).strength).toBeCloseTo(0.51818, 5)
  expect((await memoryOf(stack, episode)).accessCount).toBe(2)
})

holds('READ-QUIET', 'reading writes no entry and changes no later read', async () => {
  const { stack, store, belief, value } = await smallFamily()
  const reads = async () => [
    await stack.getBeliefs(),
    await stack.search('deployments'),
    await stack.load(),
    await stack.history.why(belief),
    await stack.history.trace(value),
    await stack.history.impact(belief),
    await stack.history.uncertain({ threshold: 1 }),
    await stack.claims.contradictions('Migrations never go before deployments'),
    await stack.review.list(),
    await stack.getStats(),
    await stack.dump(),
  ]
  const before = entriesOf(store, stack).length
  const first = JSON.stringify(await reads())
  expect(JSON.stringify(await reads())).toBe(first)
  expect(entriesOf(store, stack)).toHaveLength(before)
})
