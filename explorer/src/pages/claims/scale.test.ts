import { expect, test } from 'vitest'
import { scaleOf } from './scale.ts'

const NOW = Date.parse('2026-01-01')
const RANGE = { from: 100, to: 700 }
const claim = (
  validFrom: string | null,
  validUntil: string | null,
  saidAt = '2025-06-01T00:00:00.000Z',
) => ({
  saidAt,
  validFrom,
  validUntil,
})

test('an end includes all of the year, month or day that it names', () => {
  const claims = ['2024', '2024-12', '2024-12-31'].map((until) => claim('2020', until))
  const scale = scaleOf(claims, NOW, RANGE)
  const ends = claims.map((each) => scale.spanOf(each).x2)
  expect(new Set(ends).size).toBe(1)
})

test('what goes on reaches the edge, and what names no start begins when it was said', () => {
  const open = claim(null, null)
  const scale = scaleOf([open], NOW, RANGE)
  const { x1, x2, said, isOpen } = scale.spanOf(open)
  expect({ x2, isOpen }).toEqual({ x2: RANGE.to, isOpen: true })
  expect(x1).toBe(said)
})

test('everything has a place between the edges, and ticks are in order', () => {
  const claims = [claim('1999', '2001-05'), claim('2030-02-03', null)]
  const scale = scaleOf(claims, NOW, RANGE)
  const xs = claims.flatMap((each) => {
    const { x1, x2, said } = scale.spanOf(each)
    return [x1, x2, said]
  })
  for (const x of [...xs, scale.now]) {
    expect(x).toBeGreaterThanOrEqual(RANGE.from)
    expect(x).toBeLessThanOrEqual(RANGE.to)
  }
  const ticks = scale.ticks.map(({ x }) => x)
  expect(ticks.length).toBeGreaterThan(2)
  expect(ticks).toEqual([...ticks].sort((a, b) => a - b))
})
