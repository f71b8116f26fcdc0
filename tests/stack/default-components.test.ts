import { describe, expect, test } from 'vitest'
import { defaultComponents } from '../../src/components/default-components.ts'
import { toInstant } from '../../src/domain/time.ts'
import type { ComponentHost } from '../../src/ports/component.ts'
import { registryOf } from './component-registry.ts'

type Listed = Readonly<Record<string, readonly object[]>>

/** A stack of a few memories; only what the components ask for is there. */
function hostWith(listed: Listed, more: Partial<ComponentHost> = {}): ComponentHost {
  const host = {
    now: () => toInstant(Date.parse('2026-07-01T00:00:00.000Z')),
    list: async (kind: string, { limit = 50 } = {}) => (listed[kind] ?? []).slice(0, limit),
    sweep: async () => ({ swept: 3, forgotten: 1 }),
    reindex: async () => ({ reIndexed: 2 }),
    ...more,
  }
  return host as unknown as ComponentHost // the rest is never called
}

const taught = (...lessons: string[]) => ({ body: { lessons, tags: ['deploy'] } })
const held = (confidence: number) => ({ confidence, body: { sourceDomain: 'weather' } })

function eight(host: ComponentHost | null) {
  const { registry } = registryOf(...defaultComponents())
  if (host) registry.connect(() => host)
  return registry
}

describe('the eight', () => {
  test('without a stack to look at they say nothing and fail at nothing', async () => {
    const registry = eight(null)
    expect(await registry.dispatchMaintenance()).toEqual({})
    expect(await registry.dispatchLoad({ values: [] })).toEqual({ values: [] })
    expect(registry.listens('onSave')).toBe(false)
    expect(registry.listens('onSearch')).toBe(false)
    expect(registry.errors()).toEqual({})
  })

  test('maintenance reports what they did and found', async () => {
    const registry = eight(
      hostWith({
        episode: [taught('Migrate first', 'migrate  FIRST'), taught('migrate first'), taught('x')],
        belief: [held(0.9), held(0.3)],
        note: [{ body: { tags: ['deploy', 'tables'] } }, { body: {} }],
      }),
    )
    expect(await registry.dispatchMaintenance()).toEqual({
      embedding: { reIndexed: 2 },
      forgetting: { swept: 3, forgotten: 1 },
      consolidation: { examined: 3, patternsFound: 1 },
      metamemory: { examined: 2, uncertain: 1 },
      knowledge: { examined: 7, domains: 3 },
    })
  })

  test('a stack that keeps no vectors has none to report, and a sweep that fails says so', async () => {
    const sweep = () => Promise.reject(new Error('busy'))
    const stats = await eight(
      hostWith({}, { sweep, reindex: async () => null }),
    ).dispatchMaintenance()
    expect(stats.embedding).toBeUndefined()
    expect(stats.forgetting).toEqual({ error: 'busy' })
    expect(stats.consolidation).toEqual({ examined: 0, patternsFound: 0 })
  })
})

describe('anxiety', () => {
  const loaded = async (listed: Listed) => (await eight(hostWith(listed)).dispatchLoad({})).anxiety

  test('an empty stack has nothing to be measured by', async () => {
    expect(await loaded({})).toBeUndefined()
  })

  test('a well-kept stack is calm', async () => {
    expect(await loaded({ episode: [taught('x')], belief: [held(0.9)] })).toEqual({
      level: 'calm',
      score: 3,
      dimensions: { consolidationDebt: 0, identityCoherence: 10, memoryUncertainty: 0 },
    })
  })

  test.each([
    [3, 21],
    [5, 41],
    [15, 93],
    [100, 100],
  ])('%i episodes that taught nothing score %i', async (count, score) => {
    const episode = Array.from({ length: count }, () => taught())
    expect(await loaded({ episode })).toMatchObject({ score })
  })

  test('a neglected stack is critical', async () => {
    const anxiety = await loaded({
      episode: Array.from({ length: 50 }, () => taught()),
      belief: Array.from({ length: 12 }, () => held(0.1)),
      epoch: [{ body: { startedAt: '2023-01-01T00:00:00.000Z' } }],
    })
    expect(anxiety).toMatchObject({
      level: 'critical',
      dimensions: { memoryUncertainty: 100, identityCoherence: 90, epochStaleness: 100 },
    })
  })

  test('an epoch that starts in the future is not stale', async () => {
    const epoch = [{ body: { startedAt: '2030-01-01T00:00:00.000Z' } }]
    expect(await loaded({ epoch })).toMatchObject({ dimensions: { epochStaleness: 0 } })
  })
})
