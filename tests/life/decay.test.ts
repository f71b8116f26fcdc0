import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultPolicy } from '../../src/compose/open-stack.ts'
import type { RecordKind } from '../../src/domain/ids.ts'
import type { MemoryState } from '../../src/domain/state.ts'
import { DAY_MS, type Instant, toInstant } from '../../src/domain/time.ts'
import { confidenceAt, salienceAt, strengthAt, strengthTier } from '../../src/fold/effective.ts'
import { holds } from '../support/holds.ts'

const policy = defaultPolicy()
const BORN = '2026-01-01T00:00:00.000Z' as Instant
const later = (days: number): Instant => toInstant(Date.parse(BORN) + days * DAY_MS)

const NO_FACETS = {
  subtype: null,
  status: null,
  name: null,
  context: null,
  contextTags: [],
  tags: [],
}

/** As much of a memory as fading looks at. */
const memory = (
  kind: RecordKind,
  over: Partial<MemoryState> & { readonly c?: number; readonly s?: number } = {},
): MemoryState => {
  const { c = 0.8, s = 1, ...rest } = over
  return {
    kind,
    facets: NO_FACETS,
    confidence: { value: c, at: BORN },
    strength: { value: s, at: BORN },
    isProtected: false,
    accesses: 0,
    accessedAt: null,
    bornAt: BORN,
    ...rest,
  } as MemoryState // what fading reads
}

const confidence = (kind: RecordKind, c: number, days: number) =>
  confidenceAt(memory(kind, { c }), policy, later(days))

describe('confidence fades by kind, and stops at its floor', () => {
  holds('P-15', 'an episode loses 1 % every 30 days down to 0.5', () => {
    expect(confidence('episode', 0.9, 30)).toBeCloseTo(0.89, 9)
    expect(confidence('episode', 0.9, 60)).toBeCloseTo(0.88, 9)
    expect(confidence('episode', 0.9, 36_500)).toBe(0.5)
  })
  holds('P-16', 'a belief loses 1 % every 30 days down to 0.5', () => {
    expect(confidence('belief', 0.9, 30)).toBeCloseTo(0.89, 9)
    expect(confidence('belief', 0.9, 3_650)).toBe(0.5)
  })
  holds('P-17', 'a value loses 0.5 % every 60 days down to 0.7', () => {
    expect(confidence('value', 0.9, 60)).toBeCloseTo(0.895, 9)
    expect(confidence('value', 0.9, 36_500)).toBe(0.7)
  })
  holds('P-18', 'a note loses 1.5 % every 30 days down to 0.4', () => {
    expect(confidence('note', 0.8, 30)).toBeCloseTo(0.785, 9)
    expect(confidence('note', 0.8, 36_500)).toBe(0.4)
  })
  holds('P-19', 'a drive loses 0.5 % every 60 days down to 0.6', () => {
    expect(confidence('drive', 0.8, 120)).toBeCloseTo(0.79, 9)
    expect(confidence('drive', 0.8, 36_500)).toBe(0.6)
  })
  holds('P-20', 'a goal loses 1 % every 30 days down to 0.5', () => {
    expect(confidence('goal', 0.8, 30)).toBeCloseTo(0.79, 9)
    expect(confidence('goal', 0.8, 36_500)).toBe(0.5)
  })
  test('a belief under its floor stays where it is: the original lifted it to 0.5', () => {
    expect(confidence('belief', 0.3, 1)).toBe(0.3)
    expect(confidence('belief', 0.3, 3_650)).toBe(0.3)
  })
  test('what came in word for word does not fade', () => {
    expect(confidence('raw', 1, 3_650)).toBe(1)
  })
})

describe('strength', () => {
  const strength = (
    days: number,
    over: Parameters<typeof memory>[1] = {},
    kind: RecordKind = 'episode',
  ) => strengthAt(memory(kind, over), policy, later(days))

  test('falls a hundredth every thirty days, as in the cases of the original', () => {
    expect(strength(30)).toBeCloseTo(0.99, 9)
    expect(strength(365)).toBeCloseTo(0.878333, 6)
    expect(strength(30, { s: 0.9, accesses: 9 })).toBeCloseTo(0.892303, 6)
    expect(strength(3_650)).toBe(0)
  })
  test('falls more slowly for what one means to bring about', () => {
    const goal = (subtype: string) => ({ facets: { ...NO_FACETS, subtype } })
    expect(strength(365, goal('commitment'), 'goal')).toBeCloseTo(0.99, 9)
    expect(strength(180, goal('aspiration'), 'goal')).toBeCloseTo(0.99, 9)
    expect(strength(30, goal('task'), 'goal')).toBeCloseTo(0.99, 9)
  })
  test('stays for what is protected', () => {
    expect(strength(3_650, { isProtected: true, s: 0.7 })).toBe(0.7)
  })
  test('has five tiers', () => {
    const tiers = [1, 0.8, 0.79, 0.5, 0.49, 0.2, 0.19, 0.001, 0].map((s) => strengthTier(s, policy))
    expect(tiers).toEqual([
      'strong',
      'strong',
      'fading',
      'fading',
      'weak',
      'weak',
      'dormant',
      'dormant',
      'forgotten',
    ])
  })
  test('salience weighs confidence, use and age', () => {
    const used = memory('episode', { accesses: 10 })
    expect(salienceAt(used, policy, later(0))).toBeCloseTo(0.8 * (Math.log(11) + 0.1), 9)
    expect(salienceAt(used, policy, later(30))).toBeCloseTo((0.79 * (Math.log(11) + 0.1)) / 2, 9)
    expect(salienceAt(memory('episode'), policy, later(0))).toBeCloseTo(0.08, 9)
  })
})

holds('DECAY-MONOTONE', 'without entries nothing rises, and nothing passes its floor', () => {
  const kinds = Object.keys(policy.kinds) as RecordKind[] // keyed by kind
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds),
      fc.record({
        c: fc.double({ min: 0, max: 1, noNaN: true }),
        s: fc.double({ min: 0, max: 1, noNaN: true }),
        accesses: fc.nat(10_000),
        isProtected: fc.boolean(),
      }),
      fc.array(fc.double({ min: 0, max: 40_000, noNaN: true }), { minLength: 2, maxLength: 6 }),
      (kind, over, moments) => {
        const state = memory(kind, over)
        const times = [...moments].sort((a, b) => a - b).map(later)
        const seen = times.map((time) => ({
          c: confidenceAt(state, policy, time),
          s: strengthAt(state, policy, time),
        }))
        const floor = policy.kinds[kind].decay?.floor ?? 0
        let before = { c: over.c, s: over.s }
        for (const now of seen) {
          expect(now.c).toBeLessThanOrEqual(before.c)
          expect(now.s).toBeLessThanOrEqual(before.s)
          expect(now.c).toBeGreaterThanOrEqual(Math.min(over.c, floor))
          expect(now.s).toBeGreaterThanOrEqual(0)
          before = now
        }
      },
    ),
  )
})
