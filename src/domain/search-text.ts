import type { RecordKind } from './kind-names.ts'
import { contentText } from './kinds/table.ts'
import { speaksForItself } from './state.ts'
import { termsOf } from './terms.ts'

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
