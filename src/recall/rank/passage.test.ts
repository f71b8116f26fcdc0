import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AskedTerms, readPassage } from './passage.ts'

const TERMS = ['a', 'b', 'c']
const ASKED: AskedTerms = {
  terms: TERMS,
  numbers: new Map(TERMS.map((term, at) => [term, at])),
  idf: [1, 2, 0.5],
  pairs: [
    [0, 1],
    [1, 2],
  ],
}

const saturated = (times: number, length: number, usual: number): number =>
  times === 0 ? 0 : (times * 2.2) / (times + 1.2 * (0.25 + (0.75 * length) / usual))

/** Every window, every place, every pair of places. */
function slowly(text: readonly string[]) {
  const windows = text.length <= 48 ? 1 : Math.ceil((text.length - 24) / 24)
  const all = Array.from({ length: windows }, (_, window) => {
    const part = text.slice(window * 24, window * 24 + 48)
    const weights = TERMS.map((term) =>
      saturated(part.filter((word) => word === term).length, part.length, 28),
    )
    return { weights, score: weights.reduce((sum, one, at) => sum + one * (ASKED.idf[at] ?? 0), 0) }
  })
  const best = all.reduce((one, other) => (other.score > one.score ? other : one))
  const placesOf = (term: string | undefined) =>
    text.flatMap((word, at) => (word === term ? at : []))
  const pairs = ASKED.pairs.map(([first, second]) =>
    placesOf(TERMS[first]).some((one) =>
      placesOf(TERMS[second]).some((other) => Math.abs(other - one) <= 3),
    ),
  )
  const whole = TERMS.map((term) => saturated(placesOf(term).length, text.length, 250))
  return { weights: best.weights, whole, length: text.length, pairs }
}

test('a passage is read as by looking at every window', () => {
  const word = fc.oneof(
    { weight: 8, arbitrary: fc.constant('x') },
    { weight: 1, arbitrary: fc.constantFrom(...TERMS) },
  )
  const texts = fc.array(word, { minLength: 1, maxLength: 300, size: 'max' })
  fc.assert(
    fc.property(texts, (text) => {
      expect(readPassage(text, ASKED)).toEqual(slowly(text))
    }),
  )
})

test('a text that is nothing but the words of a question is read', () => {
  const text = [
    ...Array<string>(400_000).fill('a'),
    'x',
    'x',
    'x',
    ...Array<string>(400_000).fill('b'),
  ]
  expect(readPassage(text, ASKED).pairs).toEqual([false, false])
})

test('a text that says a term throughout counts for more than a text that says it once', () => {
  const filler = Array<string>(400).fill('x')
  const once = readPassage(['a', ...filler], ASKED)
  const throughout = readPassage(
    filler.flatMap((word, at) => (at % 50 === 0 ? [word, 'a'] : [word])),
    ASKED,
  )
  expect(once.weights[0]).toBeCloseTo(throughout.weights[0] ?? 0, 5)
  expect(throughout.whole[0]).toBeGreaterThan(2 * (once.whole[0] ?? 0))
})
