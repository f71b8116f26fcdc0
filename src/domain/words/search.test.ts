import { describe, expect, test } from 'vitest'
import { HELD_COUNTED_MAX, heldIn, scoredByWords, splitTerms } from './search.ts'

describe('how many hold a term', () => {
  test('is counted when they are few', () => {
    expect(heldIn(17, { oldest: 3, last: 99, documents: 50 })).toBe(17)
  })

  test('is told from how close the newest of them stand when they are very many', () => {
    const counted = HELD_COUNTED_MAX
    expect(heldIn(counted, { oldest: 50_000, last: 99_999, documents: 60_000 })).toBe(2 * counted)
    expect(heldIn(counted, { oldest: 99_500, last: 99_999, documents: 60_000 })).toBe(60_000)
  })
})

describe('telling terms', () => {
  const terms = [
    { term: 'heron', held: 12 },
    { term: 'day', held: 3_000 },
  ]

  test('are those that few hold', () => {
    expect(splitTerms(terms, { hits: 128, documents: 9_000 })).toEqual({
      telling: ['heron'],
      common: ['day'],
    })
  })

  test('are all of them among very many memories, or when many hits are wanted', () => {
    expect(splitTerms(terms, { hits: 128, documents: 150_000 }).common).toEqual([])
    expect(splitTerms(terms, { hits: 1_000, documents: 9_000 })).toEqual({
      telling: ['heron', 'day'],
      common: [],
    })
  })
})

test('what holds more and rarer terms comes first, then the shorter, then the older', () => {
  const terms = [
    { term: 'heron', held: 2 },
    { term: 'day', held: 90 },
  ]
  const pool = [
    { seq: 5, terms: 'day' },
    { seq: 3, terms: 'heron' },
    { seq: 4, terms: 'heron day' },
    { seq: 2, terms: 'heron' },
    { seq: 1, terms: 'heron and a good many other words' },
  ]
  expect(scoredByWords(pool, terms, 100).map(({ seq }) => seq)).toEqual([4, 2, 3, 1, 5])
})
