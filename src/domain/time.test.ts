import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Instant, isInstant, laterOf, toInstant, toMs } from './time.ts'

describe('an instant', () => {
  test('is read as the moment it names, also in the first hundred years', () => {
    const ms = fc.integer({
      min: Date.parse('0000-01-01T00:00:00.000Z'),
      max: Date.UTC(9999, 11, 31),
    })
    fc.assert(
      fc.property(ms, (at) => {
        const text = new Date(at).toISOString() as Instant
        expect(toMs(text)).toBe(at)
      }),
    )
    for (const text of ['0000-01-01T00:00:00.000Z', '0099-12-31T23:59:59.999Z'] as Instant[])
      expect(toMs(text)).toBe(Date.parse(text))
  })

  test('is UTC to the millisecond, so that order of text is order of time', () => {
    const ms = fc.integer({ min: Date.UTC(0, 0, 1), max: Date.UTC(9999, 11, 31) })
    fc.assert(
      fc.property(ms, ms, (a, b) => {
        const [first, second] = [toInstant(a), toInstant(b)]
        expect(first).toHaveLength(24)
        expect(isInstant(first)).toBe(true)
        expect(toMs(first)).toBe(a)
        expect(first < second).toBe(a < b)
        expect(laterOf(first, second)).toBe(a >= b ? first : second)
      }),
    )
  })

  test.each([
    '2026-01-01',
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00.000+00:00',
    '2026-02-30T00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '2026-01-01t00:00:00.000z',
    '+12026-01-01T00:00:00.000Z',
    ' 2026-01-01T00:00:00.000Z',
    1_767_225_600_000,
    null,
  ])('is not %j', (text) => {
    expect(isInstant(text)).toBe(false)
  })

  test('29 February is one in leap years only', () => {
    expect(isInstant('2024-02-29T00:00:00.000Z')).toBe(true)
    expect(isInstant('2023-02-29T00:00:00.000Z')).toBe(false)
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15, -62_198_755_200_000 * 2])(
    'is not made of %d',
    (ms) => {
      expect(() => toInstant(ms)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
    },
  )

  test('of two equal ones either is the later', () => {
    const same = '2026-01-01T00:00:00.000Z' as Instant
    expect(laterOf(same, same)).toBe(same)
  })
})
