import { DAY_MS } from '../../domain/time.ts'

/** Months, seasons and days by name, and arithmetic of the calendar in UTC. */
export const MONTHS: readonly string[] =
  'january february march april may june july august september october november december'.split(' ')

const SHORT_MONTHS: Readonly<Record<string, string>> = {
  jan: 'january',
  feb: 'february',
  mar: 'march',
  apr: 'april',
  jun: 'june',
  jul: 'july',
  aug: 'august',
  sep: 'september',
  sept: 'september',
  oct: 'october',
  nov: 'november',
  dec: 'december',
}

export const WEEKDAYS: readonly string[] =
  'sunday monday tuesday wednesday thursday friday saturday'.split(' ')

/**
 * The first month of each season on the northern half of the earth; a winter runs into the next
 * year.
 */
const SEASONS: Readonly<Record<string, number>> = {
  spring: 2,
  summer: 5,
  autumn: 8,
  fall: 8,
  winter: 11,
}

const NUMBERS: readonly string[] =
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** Milliseconds, `from` included and `to` excluded. */
export interface Span {
  readonly from: number
  readonly to: number
}

export const monthOf = (name: string): number => MONTHS.indexOf(SHORT_MONTHS[name] ?? name)

export const seasonMonth = (name: string): number | undefined => SEASONS[name]

/** `3`, `three`, `a`, `a couple of`, `a few`. */
export function numberOf(word: string): number {
  if (/^\d+$/.test(word)) return Number(word)
  if (word.startsWith('a couple')) return 2
  if (word.startsWith('a few')) return 3
  return Math.max(1, NUMBERS.indexOf(word))
}

export const NUMBER_WORDS = `\\d{1,3}|an?|a couple of|a few|${NUMBERS.slice(1).join('|')}`

export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS

export const daySpan = (year: number, month: number, day: number): Span => {
  const from = Date.UTC(year, month, day)
  return { from, to: from + DAY_MS }
}

export const monthSpan = (year: number, month: number, months = 1): Span => ({
  from: Date.UTC(year, month),
  to: Date.UTC(year, month + months),
})

export const yearSpan = (year: number): Span => monthSpan(year, 0, 12)

export const yearOf = (ms: number): number => new Date(ms).getUTCFullYear()

export const monthIn = (ms: number): number => new Date(ms).getUTCMonth()

export type Unit = 'day' | 'week' | 'month' | 'year'

/** Moved by so many units; the end of a month stays inside the target month. */
export function moved(ms: number, count: number, unit: Unit): number {
  if (unit === 'day') return ms + count * DAY_MS
  if (unit === 'week') return ms + count * 7 * DAY_MS
  const at = new Date(ms)
  const months = unit === 'month' ? count : 12 * count
  const first = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months)
  const length = (monthSpan(yearOf(first), monthIn(first)).to - first) / DAY_MS
  return first + (Math.min(at.getUTCDate(), length) - 1) * DAY_MS + (ms - dayOf(ms))
}

/** The whole unit around a moment; weeks begin on Monday. */
export function unitSpan(ms: number, unit: Unit): Span {
  const day = dayOf(ms)
  if (unit === 'day') return { from: day, to: day + DAY_MS }
  if (unit === 'month') return monthSpan(yearOf(ms), monthIn(ms))
  if (unit === 'year') return yearSpan(yearOf(ms))
  const from = day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS
  return { from, to: from + 7 * DAY_MS }
}

/** As exact as the counted unit, except for years: people do not count years to the day. */
export const countedFrom = (at: number, steps: number, unit: Unit): Span =>
  unitSpan(moved(at, steps, unit), unit === 'year' ? 'month' : unit)
