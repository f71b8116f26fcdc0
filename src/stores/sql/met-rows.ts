import type { Ref } from '../../domain/ids.ts'
import type { MetMemory } from '../../ports/store.ts'
import { erasedIn, listIn, NO_NOTES, saidSince } from './memory-rows.ts'
import type { Untrusted } from './rows.ts'
import type { SqlRow, SqlValue } from './values.ts'

/** What is read of every memory that is met. */
export const MET_COLUMNS = [
  'ref',
  'seq',
  'revision_seq',
  'born_at',
  'disposition',
  'tier',
  'confidence',
  'strength',
  'label',
  'subtype',
  'name',
  'marks',
] as const

/** What few of them differ in, and how all others stand. */
export const SELDOM = [
  ['revision', '= 1'],
  ['confidence_at', '= m.born_at'],
  ['strength_at', '= m.born_at'],
  ['is_protected', '= 0'],
  ['accesses', '= 0'],
  ['verifications', '= 0'],
  ['reinforcements', '= 0'],
  ['status', 'IS NULL'],
  ['context', 'IS NULL'],
  ['context_tags', 'IS NULL'],
  ['tags', 'IS NULL'],
  ['accessed_at', 'IS NULL'],
  ['verified_at', 'IS NULL'],
  ['review', 'IS NULL'],
  ['erased', 'IS NULL'],
] as const

export const SELDOM_COLUMNS: readonly string[] = SELDOM.map(([column]) => column) // as asked for

interface Met {
  /** Null where the memory stands as most do. */
  readonly seldom: SqlRow | null
  readonly sealed: SqlValue
  readonly parents: readonly Ref[]
}

export function metOf(row: SqlRow, { seldom, sealed, parents }: Met): MetMemory {
  const state = Object.assign(shownIn(row, seldom), { parents })
  return { state, sealed, notes: NO_NOTES } as unknown as Untrusted<MetMemory>
}

/** What is shown of a memory, out of the columns above. */
export function shownIn(row: SqlRow, seldom: SqlRow | null) {
  const ref = row[0] as Untrusted<Ref>
  const bornAt = row[3]
  const { evidence, anchors, flags, notes, moves, distrust, echo } = saidSince(row[11])
  const colon = ref.indexOf(':')
  return {
    ref,
    kind: ref.slice(0, colon),
    id: ref.slice(colon + 1),
    revision: seldom ? seldom[0] : 1,
    revisionSeq: row[2],
    bornAt,
    disposition: row[4],
    tier: row[5],
    confidence: { value: row[6], at: seldom ? seldom[1] : bornAt },
    strength: { value: row[7], at: seldom ? seldom[2] : bornAt },
    isProtected: seldom !== null && seldom[3] === 1,
    accesses: seldom ? seldom[4] : 0,
    verifications: seldom ? seldom[5] : 0,
    reinforcements: seldom ? seldom[6] : 0,
    facets: {
      subtype: row[9],
      name: row[10],
      status: seldom ? seldom[7] : null,
      context: seldom ? seldom[8] : null,
      contextTags: seldom ? listIn(seldom[9]) : [],
      tags: seldom ? listIn(seldom[10]) : [],
    },
    accessedAt: seldom ? seldom[11] : null,
    verifiedAt: seldom ? seldom[12] : null,
    review: seldom ? seldom[13] : null,
    erased: seldom ? erasedIn(seldom[14]) : null,
    evidence,
    anchors,
    flags,
    notes,
    moves,
    distrust,
    echo,
    label: row[8],
  }
}
