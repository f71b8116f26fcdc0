import { describe, expect, test } from 'vitest'
import { label } from '../../src/index.ts'
import { freshEntity, freshStack } from '../stack/support.ts'

/** One note each of a person, a tool, a model, and of nobody who vouches for it. */
async function tiers() {
  const fresh = await freshEntity()
  const { me } = fresh
  const user = await me.note('the deploy window is on monday', { label: label.userAsserted() })
  const tool = await me.note('the deploy window opened at nine', { observed: true })
  const model = await me.note('the deploy window may move', { label: label.modelDerived() })
  const echo = await me.note('the deploy window is a lie', { label: label.recallReEntry() })
  return { ...fresh, refs: [user.ref, tool.ref, model.ref, echo.ref] }
}

test('what is asked for by its name shows its papers, and its words only to whom they may serve', async () => {
  const { stack, me } = await freshEntity()
  await me.drive('curiosity', { intensity: 0.6, because: 'asked a great deal' })
  expect(await stack.getDrive('curiosity', { for: 'plan' })).toMatchObject({
    tier: 1,
    body: { intensity: 0.6 },
  })
  expect(await stack.getDrive('curiosity')).not.toHaveProperty('withheld')
  expect(await stack.getDrive('curiosity', { for: 'act' })).toMatchObject({
    text: '(withheld)',
    withheld: 2,
  })
})

describe('search for a use', () => {
  test.each([
    ['chat', 4],
    ['plan', 3],
    ['act', 2],
  ] as const)('to %s shows %i of four', async (use, count) => {
    const { stack } = await tiers()
    const notes = { for: use, recordTypes: ['note'] }
    const found = await stack.search('deploy window', notes)
    expect(found).toHaveLength(count)
    const loaded = await stack.load({ for: use })
    expect(loaded.notes).toHaveLength(count)
    expect(loaded._meta.withheld).toMatchObject({ count: 4 - count, hasMore: false })
  })

  test('and for a tier takes the higher of the two', async () => {
    const { stack } = await tiers()
    const notes = { recordTypes: ['note'] }
    expect(await stack.search('deploy', { ...notes, for: 'act', minTier: 0 })).toHaveLength(2)
    expect(await stack.search('deploy', { ...notes, for: 'chat', minTier: 3 })).toHaveLength(1)
    expect(await stack.search('deploy', notes)).toHaveLength(3)
  })

  test('that nobody knows is refused', async () => {
    const { stack } = await tiers()
    const use = 'joke' as 'chat'
    await expect(stack.search('deploy', { for: use })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await expect(stack.load({ for: use })).rejects.toMatchObject({ code: 'invalid_input' })
    const line = { subject: 'user', predicate: 'city' }
    await expect(stack.claims.ask({ ...line, for: use })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  test('names no more of what was withheld than there is room for, and says so', async () => {
    const { me, stack } = await freshEntity()
    for (let n = 0; n < 230; n += 1) {
      await me.note(`echo number ${n} of the deploy`, { label: label.recallReEntry() })
    }
    await me.note('the deploy window is on monday', { label: label.userAsserted() })
    const { notes, _meta } = await stack.load({ for: 'act' })
    expect(notes).toHaveLength(1)
    expect(_meta.withheld).toMatchObject({ tierMin: 2, count: 200, hasMore: true })
  })
})

describe('an answer for a use', () => {
  const line = { subject: 'user', predicate: 'city' }

  test('leaves out what models say, counts it, and keeps what was said first-hand', async () => {
    const { stack } = await freshStack()
    await stack.claims.remember('user', 'city', 'Berlin')
    await stack.claims.remember('user', 'city', 'Paris', { label: label.modelDerived() })
    const all = await stack.claims.ask(line)
    expect([all.value, all.beside.length, all.withheld.count]).toEqual(['Berlin', 1, 0])
    const act = await stack.claims.ask({ ...line, for: 'act' })
    expect([act.value, act.beside.length]).toEqual(['Berlin', 0])
    expect(act.withheld).toEqual({ tierMin: 2, count: 1, refs: [all.beside[0]?.claims[0]?.ref] })
  })

  test('is unknown where all that holds is withheld, and never what it took the place of', async () => {
    const { stack } = await freshStack()
    for (const value of ['Berlin', 'Paris']) {
      await stack.claims.remember('user', 'city', value, { label: label.modelDerived() })
    }
    expect((await stack.claims.ask(line)).standing).toBe('held')
    const [act] = await stack.claims.subject('user', { for: 'act' })
    expect(act).toMatchObject({
      standing: 'unknown',
      value: null,
      values: [],
      claims: [],
      evidence: 0,
    })
    expect(act?.withheld.count).toBeGreaterThan(0)
  })
})
