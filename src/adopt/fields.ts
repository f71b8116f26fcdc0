import { LIMITS } from '../domain/limits.ts'
import { type Instant, toInstant } from '../domain/time.ts'

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members of a value; an empty object for any other value. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A text with visible words; half characters become U+FFFD. Undefined for any other value. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/\S/.test(value)) return undefined
  return value.isWellFormed() ? value : value.toWellFormed()
}

/** A name on one line, cut to the limit of short texts. */
export function nameOf(value: unknown): string | undefined {
  const text = textOf(typeof value === 'number' ? String(value) : value)
  if (text === undefined) return undefined
  const line = text.replace(/[\s\u0085\u2028\u2029]+/gu, ' ').trim()
  return cutTo(line, LIMITS.shortTextCharsMax)
}

/** Cuts between characters, with an ellipsis. */
export function cutTo(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1).toWellFormed()}…`
}

/** Tags without empty or repeated entries, each within the limit. */
export function tagsOf(...values: readonly unknown[]): readonly string[] {
  const tags = values.flatMap((value) => (Array.isArray(value) ? value : [value]))
  const short = tags
    .flatMap((tag) => nameOf(tag) ?? [])
    .map((tag) => cutTo(tag, LIMITS.tagCharsMax))
  return [...new Set(short)].slice(0, LIMITS.listItemsMax)
}

/** Members without `undefined`, as bodies and provenance expect. */
export const present = <T extends object>(
  fields: T,
): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never // members that were undefined are missing

const SECONDS_MAX = 100_000_000_000 // a larger number counts milliseconds
const YEAR_MS_MIN = -62_167_219_200_000 // the year 0
const YEAR_MS_MAX = 253_402_300_799_999 // the end of the year 9999
const DAY = /^\d{4}-\d{2}-\d{2}$/
const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/

/** A time of a source: seconds or milliseconds since 1970, or ISO text; UTC without a zone. */
export function timeOf(value: unknown): Instant | undefined {
  const ms = millisecondsOf(value)
  if (ms === null || !(ms >= YEAR_MS_MIN && ms <= YEAR_MS_MAX)) return undefined
  return toInstant(Math.round(ms))
}

function millisecondsOf(value: unknown): number | null {
  if (typeof value === 'number' && Number.isFinite(value)) {
    return Math.abs(value) < SECONDS_MAX ? value * 1_000 : value
  }
  if (value instanceof Date) return value.getTime()
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (DAY.test(text)) return Date.parse(`${text}T00:00:00Z`)
  if (WITHOUT_ZONE.test(text)) return Date.parse(`${text.replace(' ', 'T')}Z`)
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return null
  return Date.parse(text.replace(/^(\S+) (\d)/, '$1T$2'))
}

/** A share from 0 to 1; undefined for any other value. */
export const shareOf = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined

/** The value where it is one of the known words. */
export const oneOf = <T extends string>(value: unknown, known: readonly T[]): T | undefined =>
  known.find((word) => word === value)

/** A list that a database keeps as JSON text; empty for any other value. */
export function listIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'string') return listOf(value)
  try {
    return listOf(JSON.parse(value))
  } catch {
    return []
  }
}

export const textsIn = (value: unknown): string[] =>
  listIn(value).flatMap((each) => textOf(each) ?? [])

/** A member of a table of names; undefined for names that the table does not have. */
export const namedIn = <T>(table: Readonly<Record<string, T>>, name: string | undefined) =>
  name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
