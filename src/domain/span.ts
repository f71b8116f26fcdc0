import { type Instant, toInstant, toMs } from './time.ts'

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

/** Shows a date with the given precision. */
export const showDate = (at: Instant, granularity: Granularity | null): string =>
  at.slice(0, SHOWN_CHARS[granularity ?? 'instant'])
