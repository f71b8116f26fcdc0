import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bitLength,
  divideRounded,
  hashText,
  integerSqrt,
  mix32,
  scoreMax,
  vectorLength,
  writeUnitVector,
} from '../../src/recall/embed/integers.ts'

test('the integer square root is the largest whose square fits', () => {
  fc.assert(
    fc.property(
      fc.maxSafeNat().map((value) => value % 2 ** 52),
      (value) => {
        const root = BigInt(integerSqrt(value))
        expect(root * root <= BigInt(value)).toBe(true)
        expect((root + 1n) * (root + 1n) > BigInt(value)).toBe(true)
      },
    ),
  )
  expect([0, 1, 3, 4, 24, 25].map(integerSqrt)).toEqual([0, 1, 1, 2, 4, 5])
})

test('the length in bits is that of the binary digits', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (value) => {
      expect(bitLength(value)).toBe(value === 0 ? 0 : value.toString(2).length)
    }),
  )
})

test('a quotient goes to the nearest integer, halves away from zero', () => {
  expect([5, -5, 4, -4, 3, 0].map((value) => divideRounded(value, 2))).toEqual([3, -3, 2, -2, 2, 0])
})

test('hashes are what they always were', () => {
  expect(['', 'a', 'muniment', '東京'].map(hashText)).toEqual(PINNED_HASHES)
  expect([0, 1, 0xffffffff].map(mix32)).toEqual([0, 1_364_076_727, 2_180_083_513])
})

test('a unit vector has the length of its dimension, however large or small the sums are', () => {
  const sums = fc.array(fc.integer({ min: -(2 ** 44), max: 2 ** 44 }), {
    minLength: 16,
    maxLength: 400,
  })
  fc.assert(
    fc.property(sums, fc.constantFrom(1, 2 ** 20, 2 ** 43), (values, scale) => {
      const given = Float64Array.from(values, (value) => Math.trunc(value / scale))
      const vector = new Int8Array(given.length)
      writeUnitVector(given, vector, 0)
      const squares = vector.reduce((sum, value) => sum + value * value, 0)
      const exact = Math.sqrt(given.reduce((sum, value) => sum + value * value, 0))
      if (exact === 0) {
        expect(squares).toBe(0)
        return
      }
      const length = vectorLength(given.length)
      given.forEach((value, at) => {
        const wanted = Math.max(-127, Math.min(127, (value / exact) * length))
        expect(Math.abs((vector[at] ?? 0) - wanted)).toBeLessThan(0.6)
      })
    }),
  )
  expect(vectorLength(64)).toBe(254)
  expect(scoreMax(64)).toBe(254 * 254)
})

const PINNED_HASHES = [2_872_998_923, 2_448_022_055, 1_105_663_762, 3_582_675_122]
