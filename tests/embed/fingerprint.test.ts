import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bandsOf,
  containment,
  estimatedSimilarity,
  FINGERPRINT_ID,
  rarityWeights,
  SIGNATURE_HASHES,
  shinglesOf,
  signatureOf,
  similarity,
} from '../../src/recall/embed/fingerprint.ts'
import { pseudoRandom } from './support.ts'

const signed = (text: string, names: readonly string[] = []): Uint32Array =>
  signatureOf(shinglesOf(text, { names }))

describe('what makes no difference', () => {
  test.each([
    ['Ann likes green tea.', 'ANN LIKES GREEN TEA'],
    ['Ann likes green tea.', 'ann — likes: "green" tea!'],
    ['Ann likes green tea.', 'Green tea: Ann likes it'],
    ['Ann likes green tea.', 'Ann liked the green teas'],
    ['Café Müller', 'cafe muller'],
    ['It’s Ann’s cup', "it's Ann's cup"],
  ])('%j and %j', (a, b) => {
    expect(signed(a)).toEqual(signed(b))
    expect(bandsOf(signed(a))).toEqual(bandsOf(signed(b)))
    expect(similarity(shinglesOf(a), shinglesOf(b))).toBe(1_000)
  })

  test('names, where they are given', () => {
    expect(signed('Ann Lee plays chess', ['Ann Lee'])).toEqual(signed('I play chess'))
    expect(signed('Ann Lee plays chess')).not.toEqual(signed('I play chess'))
  })
})

test('another word makes a difference', () => {
  expect(signed('Ann likes green tea')).not.toEqual(signed('Ann likes black tea'))
})

test('the same text has the same fingerprint, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(signed(text)).toEqual(signed(text))
      expect(estimatedSimilarity(signed(text), signed(text))).toBe(
        shinglesOf(text).size > 0 ? 1_000 : 0,
      )
    }),
  )
})

/** Sets of 40 with so many in common. */
function pair(shared: number, seed: number): readonly [Set<number>, Set<number>] {
  const next = pseudoRandom(seed)
  const some = (count: number): number[] => Array.from({ length: count }, next)
  const both = some(shared)
  return [new Set([...both, ...some(40 - shared)]), new Set([...both, ...some(40 - shared)])]
}

test('the estimate has no bias and the spread that 64 hashes have', () => {
  for (const shared of [0, 10, 20, 30, 36, 40]) {
    const errors = Array.from({ length: 200 }, (_, seed) => {
      const [a, b] = pair(shared, 1_000 * shared + seed)
      return estimatedSimilarity(signatureOf(a), signatureOf(b)) - similarity(a, b)
    })
    const truth = shared / (80 - shared)
    const spread = 1_000 * Math.sqrt((truth * (1 - truth)) / SIGNATURE_HASHES)
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
    expect(Math.abs(mean)).toBeLessThan((4 * spread) / Math.sqrt(errors.length) + 1)
    expect(Math.max(...errors.map(Math.abs))).toBeLessThan(5 * spread + 1)
  }
})

test('a band is shared as often as the formula says', () => {
  const shared = [10, 20, 30].map((count) => {
    const hits = Array.from({ length: 300 }, (_, seed) => {
      const [a, b] = pair(count, 77_000 + 1_000 * count + seed)
      const bands = new Set(bandsOf(signatureOf(a)))
      return bandsOf(signatureOf(b)).some((band) => bands.has(band))
    })
    return hits.filter(Boolean).length / hits.length
  })
  const promised = [10, 20, 30].map((count) => 1 - (1 - (count / (80 - count)) ** 2) ** 32)
  shared.forEach((share, at) => {
    expect(Math.abs(share - (promised[at] ?? 0))).toBeLessThan(0.12)
  })
})

test('a text without words has no bands and is like nothing', () => {
  expect(bandsOf(signed('?!'))).toEqual([])
  expect(estimatedSimilarity(signed('?!'), signed(''))).toBe(0)
  expect(similarity(shinglesOf(''), shinglesOf(''))).toBe(0)
  expect(containment(shinglesOf(''), shinglesOf('tea'))).toBe(0)
})

test('containment asks what one adds to the other', () => {
  const short = shinglesOf('green tea')
  const long = shinglesOf('Ann likes green tea')
  expect(containment(short, long)).toBe(1_000)
  expect(containment(long, short)).toBe(500)
  const rare = rarityWeights('Ann likes green tea', (word) => (word === 'ann' ? 70 : 10))
  expect(containment(long, short, rare)).toBe(200)
})

test('fingerprints are what they always were', () => {
  const signature = signed('Ann likes green tea')
  expect(FINGERPRINT_ID).toBe('minhash-terms-64x2-1')
  expect([...signature.subarray(0, 4)]).toEqual(PINNED_SIGNATURE)
  expect(bandsOf(signature).slice(0, 4)).toEqual(PINNED_BANDS)
})

const PINNED_SIGNATURE = [1_417_120_663, 280_262_721, 718_093_288, 1_243_594_895]
const PINNED_BANDS = [2_008_421_063, 2_457_213_945, 2_996_110_026, 2_446_680_487]
