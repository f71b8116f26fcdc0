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

/** What full-text search knows a memory by: terms in their order, one space between. */
export interface TextRow {
  /** The entry of the memory's birth, which is its key. */
  readonly seq: number
  readonly terms: string
}

/**
 * The terms of a memory, or null for what search does not find. A capture's words stand in what it
 * was captured for, so that finding both would show one thing twice.
 */
export function searchTerms(kind: RecordKind, body: object, captured: boolean): string | null {
  if (NOT_SEARCHED.has(kind) || !speaksForItself({ kind, captured })) return null
  return termsOf(contentText(kind, body)).join(' ')
}
