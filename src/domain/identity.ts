import type { RecordKind } from './kind-names.ts'
import type { ClaimBody } from './kinds/claim.ts'
import { contentText } from './kinds/table.ts'

/** Folds case, spaces and Unicode form, for comparing only; the bytes that were given are kept. */
export const normaliseText = (text: string): string =>
  NEEDS_FOLDING.test(text)
    ? composed(composed(text).toLowerCase()).replace(/\s+/gu, ' ').trim()
    : text.toLowerCase()

/**
 * Normalising puts marks in order, in time that grows with the square of their run. No word bears so
 * many on one letter; those that follow, and those a mark is taken apart into, tell nothing apart.
 */
const composed = (text: string): string =>
  text.replace(LONG_RUN_OF_MARKS, '$1').normalize('NFC').replace(LONG_RUN_OF_MARKS, '$1')

const LONG_RUN_OF_MARKS = /(\p{M}{32})\p{M}+/gu

/** Anything but ASCII words with single spaces between them, in which only case can differ. */
const NEEDS_FOLDING = /[^ -~]|^ | {2}| $/

/** Strings inside a JSON value are folded; numbers need nothing, since 1 and 1.0 are one number. */
export function normaliseValue(value: unknown): unknown {
  if (typeof value === 'string') return normaliseText(value)
  if (Array.isArray(value)) return value.map(normaliseValue)
  if (typeof value !== 'object' || value === null) return value
  const folded: [string, unknown][] = Object.entries(value).map(([k, v]) => [k, normaliseValue(v)])
  return Object.fromEntries(folded)
}

/** What a memory says, without who said it: the key under which it meets its own echo. */
export function identityParts(kind: RecordKind, body: object): readonly unknown[] {
  if (kind !== 'claim') return [kind, normaliseText(contentText(kind, body))]
  const { subject, predicate, value } = body as ClaimBody // a body of kind claim was parsed as one
  return [kind, normaliseText(subject), normaliseText(predicate), normaliseValue(value)]
}

/** The line a claim speaks about. */
export function lineParts(kind: RecordKind, body: object): readonly unknown[] | null {
  if (kind !== 'claim') return null
  const { subject, predicate } = body as ClaimBody // a body of kind claim was parsed as one
  return ['line', normaliseText(subject), normaliseText(predicate)]
}
