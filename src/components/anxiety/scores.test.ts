import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LEVELS, type Level, levelAfter } from './component.ts'
import { type Dimension, overall, rawWeight, SCORES, WEIGHTS } from './scores.ts'

const raws = (aged: number) => SCORES.rawAging({ total: aged, aged })

describe('scores', () => {
  it.each([
    ['consolidationDebt', SCORES.consolidationDebt(3), 21],
    ['consolidationDebt', SCORES.consolidationDebt(7), 61],
    ['consolidationDebt', SCORES.consolidationDebt(15), 93],
    ['memoryUncertainty', SCORES.memoryUncertainty(5), 75],
    ['epochStaleness', SCORES.epochStaleness(9), 50],
    ['epochStaleness', SCORES.epochStaleness(15), 82],
    ['epochStaleness of none', SCORES.epochStaleness(null), 0],
    ['contextPressure', SCORES.contextPressure(90), 93],
    ['unsavedWork of none', SCORES.unsavedWork(null), 50],
    ['unsavedWork', SCORES.unsavedWork(30), 46],
    ['identityCoherence', SCORES.identityCoherence(0.8), 20],
    ['rawAging of fresh ones', SCORES.rawAging({ total: 4, aged: 0 }), 12],
    ['rawAging of many fresh ones', SCORES.rawAging({ total: 400, aged: 0 }), 30],
    ['rawAging of three', raws(3), 75],
    // Four that have waited are no smaller worry than three.
    ['rawAging of four', raws(4), 79],
    ['rawAging of twelve', raws(12), 97],
  ])('%s scores %i, which is %i', (_, score, expected) => {
    expect(score).toBe(expected)
  })

  const measured: Readonly<Record<Dimension, (at: number) => number>> = {
    contextPressure: SCORES.contextPressure,
    unsavedWork: SCORES.unsavedWork,
    consolidationDebt: SCORES.consolidationDebt,
    rawAging: raws,
    identityCoherence: (doubt) => SCORES.identityCoherence(1 - doubt / 500),
    memoryUncertainty: SCORES.memoryUncertainty,
    epochStaleness: SCORES.epochStaleness,
  }

  it.each(Object.entries(measured))('%s rises with what is measured, from 0 to 100', (_, score) => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 500, noNaN: true }),
        fc.double({ min: 0, max: 50, noNaN: true }),
        (at, more) => {
          const [less, greater] = [score(at), score(at + more)]
          expect(greater).toBeGreaterThanOrEqual(less)
          expect(less).toBeGreaterThanOrEqual(0)
          expect(greater).toBeLessThanOrEqual(100)
        },
      ),
    )
  })

  it('a capture counts by its length', () => {
    expect(['hm', 'x'.repeat(100), 'x'.repeat(201)].map(rawWeight)).toEqual([0.3, 0.7, 1])
  })
})

describe('the whole', () => {
  it('is weighed over all seven, which add up', () => {
    expect(Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0)).toBe(100)
    expect(overall({ contextPressure: 80, rawAging: 10 })).toBe(60)
  })

  it('is nothing where nothing could be measured', () => {
    expect(overall({})).toBeNull()
  })
})

describe('levels', () => {
  it.each<[number, Level | null, Level]>([
    [34, 'calm', 'calm'],
    [35, 'calm', 'aware'],
    [30, 'aware', 'aware'],
    [24, 'aware', 'calm'],
    [90, 'calm', 'critical'],
    [50, 'critical', 'elevated'],
    [30, null, 'calm'],
    [31, null, 'aware'],
    [86, null, 'critical'],
  ])('%i after %s is %s', (score, before, after) => {
    expect(levelAfter(score, before)).toBe(after)
  })

  it('a level that was reached holds when the same score comes again', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.constantFrom(null, ...LEVELS), (score, before) => {
        const level = levelAfter(score, before)
        expect(levelAfter(score, level)).toBe(level)
      }),
    )
  })

  it('a higher score never gives a lower level', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.nat(100), fc.constantFrom(null, ...LEVELS), (a, b, before) => {
        const [low, high] = a < b ? [a, b] : [b, a]
        const at = (score: number) => LEVELS.indexOf(levelAfter(score, before))
        expect(at(high)).toBeGreaterThanOrEqual(at(low))
      }),
    )
  })
})
