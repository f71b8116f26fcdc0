import { describe, expect, test } from 'vitest'
import { defaultComponents } from '../../src/components/default-components.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { lintStatement } from '../../src/gate/quote.ts'
import { cutAtWord } from '../../src/recall/cut-at-word.ts'
import { estimateTokens, priorityOf } from '../../src/recall/pack.ts'
import { freshEntity, freshStack, papersFor, saying } from '../stack/support.ts'
import { smallFamily } from './support.ts'

/** Cases on which another system was run; where ours answers otherwise, the title says why. */

describe('states and sources', () => {
  test('1: a fresh stack is INITIALIZING, after attaching ACTIVE, and so when opened again', async () => {
    const { stack, store } = await freshStack()
    expect(stack.state).toBe('INITIALIZING')
    await stack.control.activate()
    expect((await openStack('test', { store })).state).toBe('ACTIVE')
  })

  const told = async (kind: 'episode' | 'belief', derivedFrom: readonly string[]) => {
    const { stack } = await freshEntity()
    const body =
      kind === 'episode' ? { objective: 'a', outcome: 'b' } : { statement: 'Some belief held' }
    const provenance = { ...saying('ExternalFirstHand'), derivedFrom: derivedFrom as never }
    return stack.write({ kind, body: body as never, provenance }) // as the case says
  }

  test('2: an episode with no source is refused, and told what it may cite', async () => {
    expect(await told('episode', [])).toMatchObject({
      rule: 'lineage',
      hint: expect.stringContaining('raw'),
    })
  })
  test('3: a source that is no ref is refused as one', async () => {
    await expect(told('episode', ['abc'])).rejects.toMatchObject({ code: 'invalid_provenance' })
  })
  test('4: a source that does not exist is refused', async () => {
    const nobody = 'raw:00000000-0000-7000-8000-000000000000'
    expect(await told('episode', [nobody])).toMatchObject({ reasons: ['parent_missing'] })
  })
  test('5, 9: “context:cli” is no source: here nothing is, beside memories', async () => {
    await expect(told('episode', ['context:cli'])).rejects.toMatchObject({
      code: 'invalid_provenance',
    })
  })
  test('6: a belief made from nothing but a belief is refused', async () => {
    const { me, belief } = await smallFamily()
    await expect(me.belief('Something else entirely', { derivedFrom: [belief] })).rejects.toThrow(
      /needs a source beside it/,
    )
  })
  test('7: a source type that there is not is refused, and the six are named', async () => {
    const { me } = await freshEntity()
    await expect(me.raw('x', { sourceType: 'weird' as never })).rejects.toThrow(/direct_experience/)
  })
  test('8: in maintenance not even raw is taken', async () => {
    const { me, stack } = await freshEntity()
    await stack.control.setState('MAINTENANCE')
    await expect(me.raw('x')).rejects.toMatchObject({ code: 'maintenance_mode' })
  })
})

describe('lint', () => {
  const lint = (text: string) => lintStatement(text, { min: 10, max: 2_000 })

  test('10: a belief of five letters is kept as a rejected suggestion, and the caller is told so', async () => {
    const { me, stack, episode } = await smallFamily()
    await expect(me.belief('short', { derivedFrom: [episode] })).rejects.toMatchObject({
      code: 'refused',
    })
    expect(await stack.getSuggestions({ status: 'rejected' })).toMatchObject([
      { content: { statement: 'short' }, reason: expect.stringContaining('too_short') },
    ])
  })
  test('11: ten letters pass, nine do not; artefacts, fragments and stammering are noise', () => {
    expect(lint('abcdefghij')).toEqual([])
    expect(lint('abcdefghi')).toEqual(['too_short'])
    expect(lint('Value: x').length).toBeGreaterThan(1)
    expect(lint('Teams work better together')).toEqual([])
    expect(lint('I should always consider the')).toEqual(['trailing_fragment'])
    expect(lint('aaaaa').length).toBeGreaterThan(0)
  })
  test('12: a value’s name has three letters at least', () => {
    expect(lintStatement('ab', { min: 3, max: 2_000 })).toEqual(['too_short'])
  })
})

describe('working memory', () => {
  test('30: tokens are counted up, never down: 4 characters are 2, not 1', () => {
    expect([4, 100, 1_000].map((length) => estimateTokens('x'.repeat(length)))).toEqual([
      2, 33, 325,
    ])
    expect(cutAtWord('The quick brown fox jumps over the lazy dog', 20).length).toBeLessThanOrEqual(
      20,
    )
    expect(cutAtWord('The quick brown fox jumps over the lazy dog', 20)).toMatch(/^The quick brown/)
  })
  test('31: priorities of a value, a belief strong and fading, and a drive', async () => {
    const { stack } = await freshStack()
    const { policy } = await stack.control.getPolicy()
    const of = (
      kind: 'value' | 'belief' | 'drive',
      weight: number,
      strengthTier: 'strong' | 'fading',
    ) => priorityOf({ kind, subtype: null, weight, strengthTier }, policy)
    expect(of('value', 50, 'strong')).toBeCloseTo(0.95, 9)
    expect(of('belief', 0.8, 'strong')).toBeCloseTo(0.78, 9)
    expect(of('belief', 0.8, 'fading')).toBeCloseTo(0.39, 9)
    expect(of('drive', 1, 'strong')).toBeCloseTo(0.7, 9)
  })
})

describe('promotion and suggestions', () => {
  test('32: a lesson of two in three episodes becomes one belief, once; two episodes are enough here', async () => {
    const { me, stack } = await freshEntity()
    const lesson = 'Small steps are safer steps'
    for (const [index, lessons] of [[lesson], [lesson], ['Something else was learnt']].entries()) {
      await me.episode({ objective: `try ${index}`, outcome: 'ok', lessons })
    }
    expect(await stack.promote()).toMatchObject({
      patternsFound: 1,
      beliefsCreated: [expect.any(String)],
    })
    expect(await stack.getBeliefs()).toMatchObject([
      {
        body: { beliefType: 'pattern' },
        confidence: 0.7,
        provenance: { sourceType: 'consolidation' },
      },
    ])
    expect(await stack.promote()).toMatchObject({ alreadyKnown: 1, beliefsCreated: [] })
  })
  test('41: accepted twice is nothing the second time; what is answered is not dismissed', async () => {
    const { stack, episode } = await smallFamily()
    const body = {
      memoryType: 'belief',
      content: { statement: 'Suggested by somebody' },
      confidence: 0.8,
      sourceRefs: [episode],
    } as const
    const record = { ...body, sourceRefs: [...body.sourceRefs] }
    const provenance = await papersFor(stack, 'suggestion', record)
    const id = await stack.saveSuggestion({ ...record, provenance })
    expect(await stack.acceptSuggestion(id, { statement: 'Worded otherwise by us' })).not.toBeNull()
    expect(await stack.acceptSuggestion(id)).toBeNull()
    expect(await stack.dismissSuggestion(id)).toBe(false)
    expect((await stack.getSuggestion(id))?.status).toBe('modified')
  })
  test('44: a component is added once, and a required one stays', async () => {
    const { stack } = await freshStack({ components: defaultComponents() })
    const [embedding] = defaultComponents()
    if (!embedding) throw new Error('no components')
    await expect(stack.addComponent(embedding)).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(stack.removeComponent('embedding')).rejects.toThrow(/required/)
  })
})
