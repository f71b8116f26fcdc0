import { MunimentError } from './errors.ts'

declare const instant: unique symbol
/** UTC with milliseconds, always 24 characters, so text order is time order. */
export type Instant = string & { readonly [instant]: true }

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

const INSTANT_CHARS = 24

export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

const DATE_MS_MAX = 8.64e15 // the last moment that a Date can hold

interface CachedInstant {
  readonly ms: number
  readonly text: Instant
}

// A cache of the last instant: memories of the same millisecond are written and read in a row.
let last: CachedInstant | null = null

export function isInstant(text: unknown): text is Instant {
  if (text === last?.text) return true
  if (typeof text !== 'string' || !INSTANT.test(text)) return false
  const ms = Date.parse(text)
  if (!Number.isFinite(ms) || new Date(ms).toISOString() !== text) return false
  last = { ms, text: text as Instant } // the text equals the Date's text
  return true
}

export function toInstant(ms: number): Instant {
  if (ms === last?.ms) return last.text
  const text = Math.abs(ms) <= DATE_MS_MAX ? new Date(ms).toISOString() : ''
  if (text.length === INSTANT_CHARS) {
    last = { ms: Math.trunc(ms), text: text as Instant } // the only place a number becomes an Instant
    return last.text
  }
  throw new MunimentError('invalid_input', 'The clock gave a time outside the years 0 to 9999.')
}

// A cache of the last two instants read: a memory's numbers mostly share a moment, and many moments
// are compared with a fixed moment.
let read: CachedInstant | null = null
let before: CachedInstant | null = null

export function toMs(at: Instant): number {
  if (at === last?.text) return last.ms
  if (at === read?.text) return read.ms
  const known = at === before?.text ? before : { ms: msOf(at), text: at }
  before = read
  read = known
  return known.ms
}

const CODE_OF_ZERO = 48

/** The digit at a place of the text. */
const numberAt = (text: string, at: number): number => text.charCodeAt(at) - CODE_OF_ZERO
const twoAt = (text: string, at: number): number => numberAt(text, at) * 10 + numberAt(text, at + 1)

/** Equals `Date.parse`, but faster, because every digit has a fixed place. */
function msOf(at: Instant): number {
  const year = twoAt(at, 0) * 100 + twoAt(at, 2)
  if (at.length !== INSTANT_CHARS || !(year >= 100)) return Date.parse(at) // `Date.UTC` takes 99 for 1999
  const ms = twoAt(at, 20) * 10 + numberAt(at, 22)
  return Date.UTC(
    year,
    twoAt(at, 5) - 1,
    twoAt(at, 8),
    twoAt(at, 11),
    twoAt(at, 14),
    twoAt(at, 17),
    ms,
  )
}

export const laterOf = (a: Instant, b: Instant): Instant => (a >= b ? a : b)

export const GRANULARITIES = ['year', 'month', 'day', 'instant'] as const
export type Granularity = (typeof GRANULARITIES)[number]

/** A stretch of valid time without the end moment; null is open. */
export interface Span {
  readonly from: Instant | null
  readonly until: Instant | null
}

export const ALWAYS: Span = { from: null, until: null }

/** A date as written: the first moment of the named period, and the period's size. */
export interface DateGiven {
  readonly at: Instant
  readonly granularity: Granularity
}

const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z') // times are written with four digits a year

/** "Until 2024" holds to the end of 2024; an exact moment is its own end. */
export function endOf(at: Instant, granularity: Granularity | null): Instant | null {
  if (granularity === null || granularity === 'instant') return at
  const end = new Date(toMs(at))
  end.setUTCHours(0, 0, 0, 0)
  if (granularity === 'day') end.setUTCDate(end.getUTCDate() + 1)
  else if (granularity === 'month') end.setUTCMonth(end.getUTCMonth() + 1, 1)
  else end.setUTCFullYear(end.getUTCFullYear() + 1, 0, 1)
  return end.getTime() > LAST_MS ? null : toInstant(end.getTime())
}

export const covers = ({ from, until }: Span, at: Instant): boolean =>
  (from === null || from <= at) && (until === null || at < until)

export function overlaps(a: Span, b: Span): boolean {
  const isBefore = (x: Span, y: Span) => x.until !== null && y.from !== null && x.until <= y.from
  const isEmpty = ({ from, until }: Span) => from !== null && until !== null && from >= until
  return !isBefore(a, b) && !isBefore(b, a) && !isEmpty(a) && !isEmpty(b)
}

const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** Reads 2024, 2024-05, 2024-05-15 or an RFC 3339 time; undefined for anything else. */
export function tryParseDate(text: unknown): DateGiven | undefined {
  if (typeof text !== 'string') return undefined
  const [, year, month, day] = DATE.exec(text) ?? []
  if (year !== undefined) {
    const at = `${year}-${month ?? '01'}-${day ?? '01'}T00:00:00.000Z`
    const ms = Date.parse(at)
    // `Date` turns a nonexistent date into another date.
    if (!Number.isFinite(ms) || new Date(ms).toISOString() !== at) return undefined
    return { at: toInstant(ms), granularity: day ? 'day' : month ? 'month' : 'year' }
  }
  const ms = TIME.test(text) ? Date.parse(text) : Number.NaN
  const isWritable = ms >= Date.parse('0000-01-01T00:00:00.000Z') && ms <= LAST_MS
  return isWritable ? { at: toInstant(ms), granularity: 'instant' } : undefined
}

const SHOWN_CHARS: Readonly<Record<Granularity, number>> = {
  year: 4,
  month: 7,
  day: 10,
  instant: 24,
}

export const showDate = (at: Instant, granularity: Granularity | null): string =>
  at.slice(0, SHOWN_CHARS[granularity ?? 'instant'])
