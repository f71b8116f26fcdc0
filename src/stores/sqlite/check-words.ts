import type { RecordKind } from '../../domain/ids.ts'
import { searchTerms } from '../../domain/kinds/content.ts'
import { readJson } from '../../ledger/read-json.ts'
import type { Untrusted } from '../sql/rows.ts'
import type { SqlDatabase } from './driver.ts'

const STRAYS = `
  SELECT w.rowid FROM words w WHERE w.rowid NOT IN (SELECT seq FROM memories) ORDER BY 1 LIMIT +?`

const SAID = `
  SELECT m.seq, m.kind, m.captured, CAST(s.bytes AS TEXT), w.terms
  FROM memories m JOIN sealed s ON s.seq = m.revision_seq LEFT JOIN words w ON w.rowid = m.seq`

/**
 * Memories whose search terms differ from their text. The terms are a copy, and no audit checks
 * them.
 */
export function wordsDiffering(db: SqlDatabase, max: number): readonly number[] {
  const found = db
    .prepare(STRAYS)
    .all(max)
    .map(([seq]) => Number(seq))
  for (const [seq, kind, captured, sealed, terms] of db.prepare(SAID).iterate()) {
    const said = termsIn(kind as Untrusted<RecordKind>, String(sealed), captured === 1)
    if (said !== undefined && said !== terms) found.push(Number(seq))
    if (found.length >= max) break
  }
  return found
}

/** The terms to expect in the index; undefined for unreadable content, which the audit reports. */
function termsIn(kind: RecordKind, sealed: string, captured: boolean): string | null | undefined {
  try {
    const { body } = readJson(sealed) as { readonly body: object } // written by the gate
    return searchTerms(kind, body, captured)
  } catch {
    return undefined
  }
}
