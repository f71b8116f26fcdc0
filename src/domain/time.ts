import { MunimentError } from './errors.ts'

declare const instant: unique symbol
/** UTC with milliseconds, always 24 characters, so that text order is time order. */
export type Instant = string & { readonly [instant]: true }

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

const INSTANT_CHARS = 24

export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

const DATE_MS_MAX = 8.64e15 // the last moment that a Date can hold

interface Met {
  readonly ms: number
  readonly text: Instant
}

// The last instant that was met: many memories of one millisecond are written, and read, in a row.
let last: Met | null = null

export function isInstant(text: unknown): text is Instant {
  if (text === last?.text) return true
  if (typeof text !== 'string' || !INSTANT.test(text)) return false
  const ms = Date.parse(text)
  if (!Number.isFinite(ms) || new Date(ms).toISOString() !== text) return false
  last = { ms, text: text as Instant } // it says what a Date says
  return true
}

export function toInstant(ms: number): Instant {
  if (ms === last?.ms) return last.text
  const text = Math.abs(ms) <= DATE_MS_MAX ? new Date(ms).toISOString() : ''
  if (text.length === INSTANT_CHARS) {
    last = { ms: Math.trunc(ms), text: text as Instant } // the one place a number becomes an Instant
    return last.text
  }
  throw new MunimentError('invalid_input', 'The clock gave a time outside the years 0 to 9999.')
}

// The last instants that were read: a memory's numbers are mostly of one moment, asked in a row, and
// many moments are held against the same one.
let read: Met | null = null
let before: Met | null = null

export function toMs(at: Instant): number {
  if (at === last?.text) return last.ms
  if (at === read?.text) return read.ms
  const known = at === before?.text ? before : { ms: msOf(at), text: at }
  before = read
  read = known
  return known.ms
}

const CODE_OF_ZERO = 48

/** The number that stands in the text there. */
const numberAt = (text: string, at: number): number => text.charCodeAt(at) - CODE_OF_ZERO
const twoAt = (text: string, at: number): number => numberAt(text, at) * 10 + numberAt(text, at + 1)

/** As `Date.parse` has it, and sooner: its numbers stand where they always stand. */
function msOf(at: Instant): number {
  const year = twoAt(at, 0) * 100 + twoAt(at, 2)
  if (at.length !== INSTANT_CHARS || !(year >= 100)) return Date.parse(at) // `UTC` takes 99 for 1999
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
