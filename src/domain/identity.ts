import type { RecordKind } from './kind-names.ts'
import type { ClaimBody } from './kinds/claim.ts'
import { contentText } from './kinds/table.ts'

/** Folds case, spaces and Unicode form, for comparison only; the given bytes are kept. */
export const normaliseText = (text: string): string =>
  NEEDS_FOLDING.test(text)
    ? composed(composed(text).toLowerCase()).replace(/\s+/gu, ' ').trim()
    : text.toLowerCase()

/**
 * Normalising orders marks, in time that grows with the square of their run. No word bears so many
 * marks on a letter, so cutting a long run loses no distinction.
 */
const composed = (text: string): string =>
  text.replace(LONG_RUN_OF_MARKS, '$1').normalize('NFC').replace(LONG_RUN_OF_MARKS, '$1')

const LONG_RUN_OF_MARKS = /(\p{M}{32})\p{M}+/gu

/** Finds text other than ASCII words with single spaces; in ASCII words only case can differ. */
const NEEDS_FOLDING = /[^ -~]|^ | {2}| $/

/** Strings inside a JSON value are folded; numbers need nothing, since 1 and 1.0 are equal. */
export function normaliseValue(value: unknown): unknown {
  if (typeof value === 'string') return normaliseText(value)
  if (Array.isArray(value)) return value.map(normaliseValue)
  if (typeof value !== 'object' || value === null) return value
  const folded: [string, unknown][] = Object.entries(value).map(([k, v]) => [k, normaliseValue(v)])
  return Object.fromEntries(folded)
}

/** The content of a memory without its author: the key by which echoes are found. */
export function identityParts(kind: RecordKind, body: object): readonly unknown[] {
  if (kind !== 'claim') return [kind, normaliseText(contentText(kind, body))]
  const { subject, predicate, value } = body as ClaimBody // parsed as a claim before
  return [kind, normaliseText(subject), normaliseText(predicate), normaliseValue(value)]
}

/** The key of a claim's timeline; null for other kinds. */
export function lineParts(kind: RecordKind, body: object): readonly unknown[] | null {
  if (kind !== 'claim') return null
  const { subject, predicate } = body as ClaimBody // parsed as a claim before
  return ['line', normaliseText(subject), normaliseText(predicate)]
}
