import type { ClaimState } from '../../domain/claims.ts'
import type { ClaimRow } from '../../ports/store.ts'
import { selected } from './columns.ts'
import type { Dialect } from './dialect.ts'
import { sharedMarks } from './memory-rows.ts'
import { textIn, type Untrusted } from './rows.ts'
import type { SqlRow } from './values.ts'

const CLAIM_COLUMNS = [
  'ref',
  'seq',
  'born_at',
  'label',
  'source_id',
  'identity',
  'disposition',
  'tier',
  'depth_farthest',
  'confidence',
  'strength',
  'restated_at',
  'verified_at',
  'review',
  'subtype',
  'marks',
] as const

const MARKS_AT = CLAIM_COLUMNS.indexOf('marks')
export const CLAIM_SEQ_AT = CLAIM_COLUMNS.indexOf('seq')

/** A claim out of `memories m … sealed s`. */
export const CLAIM = (d: Dialect): string =>
  `${selected(d, CLAIM_COLUMNS, 'm')}, ${d.text('s.bytes')} AS s_text`

export function claimsOf(rows: readonly SqlRow[]): ClaimRow[] {
  const marks = sharedMarks()
  const numbers = sharedNumbers()
  return rows.map((row) => claimOf(row, marks(row[MARKS_AT] ?? null).claim, numbers(row)))
}

/** Claims with equal confidence and strength share one object for these numbers. */
function sharedNumbers(): (row: SqlRow) => Numbers {
  let last: SqlRow = []
  let numbers: Numbers | null = null
  return (row) => {
    if (numbers === null || row[9] !== last[9] || row[10] !== last[10] || row[14] !== last[14]) {
      numbers = {
        confidence: { value: row[9] },
        strength: { value: row[10] },
        facets: { subtype: row[14] },
      } as Untrusted<Numbers>
    }
    last = row
    return numbers
  }
}

type Numbers = Pick<ClaimRow['state'], 'confidence' | 'strength' | 'facets'>

function claimOf(
  row: SqlRow,
  claim: ClaimState | null,
  { confidence, strength, facets }: Numbers,
): ClaimRow {
  const state = {
    ref: row[0],
    seq: row[1],
    bornAt: row[2],
    label: row[3],
    sourceId: row[4],
    identity: row[5],
    claim,
    disposition: row[6],
    tier: row[7],
    depthFarthest: row[8],
    confidence,
    strength,
    restatedAt: row[11],
    verifiedAt: row[12],
    review: row[13],
    facets,
  }
  return { state, sealed: textIn(row[CLAIM_COLUMNS.length]) } as unknown as Untrusted<ClaimRow>
}
