import type { RecordKind } from '../../domain/kind-names.ts'
import type { ShelfRow } from '../../ports/store.ts'
import type { Untrusted } from './rows.ts'
import type { SqlRow } from './values.ts'

/** Columns of a memory; behind them stands what it sealed, as text. */
export const SHELF_COLUMNS = [
  'seq',
  'revision_seq',
  'ref',
  'tier',
  'weight',
  'subtype',
  'strength',
  'strength_at',
  'is_protected',
  'accesses',
] as const

export function shelfOf(kind: RecordKind, row: SqlRow): ShelfRow {
  const [seq, revisionSeq, ref, tier, weight, subtype, strength, strengthAt] = row
  const [isProtected, accesses, sealed] = row.slice(8)
  return {
    kind,
    ref,
    seq,
    revisionSeq,
    tier,
    weight,
    facets: { subtype },
    strength: { value: strength, at: strengthAt },
    isProtected: isProtected === 1,
    accesses,
    sealed,
  } as unknown as Untrusted<ShelfRow>
}
