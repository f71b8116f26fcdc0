import type { RecordKind } from '../ids.ts'
import { type Facets, speaksForItself } from '../state.ts'
import { termsOf } from '../words/terms.ts'
import type { ClaimBody } from './claim.ts'
import { CONTEXT_FREE, type FacetFields } from './definition.ts'
import { contentText, definitionOf } from './table.ts'

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

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Values for list filters, out of a body; a kind's definition names the fields. */
export function facetsOf(kind: RecordKind, body: object): Facets {
  const fields = body as Readonly<Record<string, unknown>> // parsed as this kind
  const { facets } = definitionOf(kind)
  const pick = (name: keyof FacetFields): string | null => {
    const field = facets[name]
    return field === undefined ? null : textOr(fields[field])
  }
  return {
    subtype: pick('subtype'),
    status: pick('status'),
    // Folded, so case and spacing of a subject do not matter; the body has the exact bytes.
    name: kind === 'claim' ? normaliseText(pick('name') ?? '') : pick('name'),
    context: textOr(fields.context),
    contextTags: (fields.contextTags as readonly string[] | undefined) ?? CONTEXT_FREE,
    tags: (fields.tags as readonly string[] | undefined) ?? CONTEXT_FREE,
  }
}

/** Raises the place in `load`, or bounds an actor's statements; 0 where neither applies. */
export function weightOf(kind: RecordKind, body: object, confidence: number): number {
  const { load, weight } = definitionOf(kind)
  if (weight) return weight(body)
  const from = load?.bonus?.from
  if (from === undefined) return 0
  if (from === 'confidence') return confidence
  return Number((body as Readonly<Record<string, unknown>>)[from] ?? 0) // parsed as this kind
}

/** Records about memory and markers of time are looked up, never found by their words. */
const NOT_SEARCHED: ReadonlySet<RecordKind> = new Set([
  'epoch',
  'suggestion',
  'assessment',
  'report',
])

/** A memory's row in full-text search: its terms in order, a space between. */
export interface TextRow {
  /** The entry of the memory's birth, used as the key. */
  readonly seq: number
  readonly terms: string
}

/**
 * The search terms of a memory, or null where search shall not find the memory. A capture's words
 * also stand in the memory of the capture, so finding both would show them twice.
 */
export function searchTerms(kind: RecordKind, body: object, captured: boolean): string | null {
  if (NOT_SEARCHED.has(kind) || !speaksForItself({ kind, captured })) return null
  return termsOf(contentText(kind, body)).join(' ')
}
