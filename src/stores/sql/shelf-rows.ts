import type { RecordKind } from '../../domain/kind-names.ts'
import type { ShelfRow } from '../../ports/store.ts'
import type { Untrusted } from './rows.ts'
import type { SqlRow } from './values.ts'

/** Columns of a memory; behind them stands what it sealed, as text. */
export const SHELF_COLUMNS = [
  'seq',
  'ref',
  'tier',
  'weight',
  'subtype',
  'strength',
  'strength_at',
  'is_protected',
  'accesses',
] as const

export const shelfOf = (
  kind: RecordKind,
  [seq, ref, tier, weight, subtype, strength, strengthAt, isProtected, accesses, sealed]: SqlRow,
) =>
  ({
    kind,
    ref,
    seq,
    tier,
    weight,
    facets: { subtype },
    strength: { value: strength, at: strengthAt },
    isProtected: isProtected === 1,
    accesses,
    sealed,
  }) as unknown as Untrusted<ShelfRow>
