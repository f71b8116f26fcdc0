import { describe, expect, test } from 'vitest'
import { label } from '../../src/domain/labels.ts'
import { at, freshStack } from '../stack/support.ts'

const LINE = ['user', 'city'] as const

describe('working memory', () => {
  test('marks what is contested and what a model says beside it', async () => {
    const { stack } = await freshStack()
    for (const [value, actor] of [
      ['Paris', 'ann'],
      ['Rome', 'bob'],
    ] as const) {
      await stack.claims.remember(...LINE, value, { actor, label: label.userAsserted() })
    }
    await stack.claims.remember(...LINE, 'Oslo', { label: label.modelDerived() })
    await stack.claims.remember('user', 'name', 'Eve', { label: label.userAsserted() })
    const loaded = await stack.load()
    const standing = Object.fromEntries(
      loaded.claims.map(({ content, standing: word }) => [content, word]),
    )
    expect(standing).toEqual({
      'user city Paris': 'contested',
      'user city Rome': 'contested',
      'user city Oslo': 'beside',
      'user name Eve': 'held',
    })
    const text = await stack.lookup.render(loaded, { for: 'prompt' })
    expect(text.match(/contested: others say otherwise/g)).toHaveLength(2)
    expect(text.match(/beside what was said first-hand/g)).toHaveLength(1)
  })

  test('holds the claims of a person, whatever a model claims beside them', async () => {
    const { stack } = await freshStack()
    const ann = { actor: 'ann', label: label.userAsserted() } as const
    await stack.claims.remember('user', 'job', 'nurse', ann)
    await stack.claims.remember('user', 'town', 'Paris', ann)
    for (let n = 0; n < 2_100; n += 1) {
      const spy = { confidence: 1, label: label.modelDerived(), actor: `m${n % 12}` } as const
      await stack.claims.remember('user', 'job', `spy number ${n}`, spy)
    }
    for (const options of [{}, { expand: true }]) {
      const { claims, _meta } = await stack.load({ tokenBudget: 4_000, ...options })
      const held = claims.map(({ content }) => content).filter((text) => !text.includes('spy'))
      expect(held.toSorted()).toEqual(['user job nurse', 'user town Paris'])
      const job = claims.filter(({ content }) => content.includes('job'))
      expect(job[0]?.content).toBe('user job nurse')
      expect(job.slice(1).every(({ standing }) => standing === 'beside')).toBe(true)
      expect(job).toHaveLength(11)
      expect(_meta.excluded.some(({ reason }) => reason === 'timeline')).toBe(true)
    }
  })

  test('leaves out what gave way, what is over and what was taken back', async () => {
    const { stack, clock } = await freshStack()
    const ann = { actor: 'ann', label: label.userAsserted() } as const
    await stack.claims.remember(...LINE, 'Berlin', ann)
    await stack.claims.remember(...LINE, 'Paris', ann)
    await stack.claims.remember('user', 'job', 'baker', { ...ann, until: '2026-01-02' })
    const back = await stack.claims.remember('user', 'pet', 'a cat', ann)
    await stack.claims.retract(String(back.claimRef), { caller: at('cli', { person: true }) })
    clock.advance({ days: 400 })
    const { claims, _meta } = await stack.load()
    expect(claims.map(({ content, standing }) => [content, standing])).toEqual([
      ['user city Paris', 'held'],
    ])
    expect(_meta.excluded.map(({ reason }) => reason)).toEqual(['past'])
    expect(_meta.excludedCount).toBe(1)
  })
})
