import { describe, expect, test } from 'vitest'
import { covers, endOf, type Instant, overlaps, showDate, tryParseDate } from './time.ts'

const at = (text: string): Instant => {
  const given = tryParseDate(text)
  if (!given) throw new Error(`${text} is no date`)
  return given.at
}

describe('a date', () => {
  test.each([
    ['2024', '2024-01-01T00:00:00.000Z', 'year'],
    ['2024-05', '2024-05-01T00:00:00.000Z', 'month'],
    ['2024-05-15', '2024-05-15T00:00:00.000Z', 'day'],
    ['2024-05-15T12:30:00+02:00', '2024-05-15T10:30:00.000Z', 'instant'],
    ['2024-05-15T12:30:00.250Z', '2024-05-15T12:30:00.250Z', 'instant'],
  ])('%s is as exact as it was written', (text, instant, granularity) => {
    expect(tryParseDate(text)).toEqual({ at: instant, granularity })
  })

  test.each(['', '24', '2024-13', '2024-02-30', '2024-5-1', 'May 2024', '2024-05-15T12:30', null])(
    '%s is none',
    (text) => {
      expect(tryParseDate(text)).toBeUndefined()
    },
  )

  test.each(['2024', '2024-05', '2024-05-15'])('%s is shown as it was written', (text) => {
    const given = tryParseDate(text)
    expect(given && showDate(given.at, given.granularity)).toBe(text)
  })

  test('that ends something includes all that it names', () => {
    expect(endOf(at('2024'), 'year')).toBe(at('2025'))
    expect(endOf(at('2024-12'), 'month')).toBe(at('2025'))
    expect(endOf(at('2024-02-28'), 'day')).toBe(at('2024-02-29'))
    expect(endOf(at('2024-02-28'), 'instant')).toBe(at('2024-02-28'))
    expect(endOf(at('9999'), 'year')).toBeNull()
  })
})

describe('a span', () => {
  const span = (from: string | null, until: string | null) => ({
    from: from === null ? null : at(from),
    until: until === null ? null : at(until),
  })

  test('holds from its start up to its end, which is left out', () => {
    const years = span('2020', '2022')
    expect(['2019', '2020', '2021', '2022'].map((year) => covers(years, at(year)))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test('overlaps another where some moment lies in both', () => {
    expect(overlaps(span('2020', '2022'), span('2022', null))).toBe(false)
    expect(overlaps(span('2020', '2023'), span('2022', null))).toBe(true)
    expect(overlaps(span(null, null), span('2022', '2023'))).toBe(true)
    expect(overlaps(span('2022', '2022'), span(null, null))).toBe(false)
  })
})
