import type { Ref } from '../../domain/ids.ts'
import type { MetMemory } from '../../ports/store.ts'
import { erasedIn, listIn, NO_NOTES, saidSince } from './memory-rows.ts'
import type { Untrusted } from './rows.ts'
import type { SqlRow, SqlValue } from './values.ts'

/** What is read of every memory that is met. */
export const MET_COLUMNS = [
  'ref',
  'seq',
  'born_at',
  'disposition',
  'tier',
  'confidence',
  'strength',
  'subtype',
  'marks',
] as const

/** What few of them differ in, and how all others stand. */
export const SELDOM = [
  ['revision', '= 1'],
  ['revision_seq', '= m.seq'],
  ['confidence_at', '= m.born_at'],
  ['strength_at', '= m.born_at'],
  ['is_protected', '= 0'],
  ['accesses', '= 0'],
  ['verifications', '= 0'],
  ['reinforcements', '= 0'],
  ['status', 'IS NULL'],
  ['tags', 'IS NULL'],
  ['accessed_at', 'IS NULL'],
  ['verified_at', 'IS NULL'],
  ['review', 'IS NULL'],
  ['erased', 'IS NULL'],
] as const

/** In the order in which they are asked for; who said it stands in its words, until they are erased. */
export const SELDOM_COLUMNS: readonly string[] = [...SELDOM.map(([column]) => column), 'label']

interface Met {
  /** Null where the memory stands as most do. */
  readonly seldom: SqlRow | null
  readonly sealed: SqlValue
  readonly parents: readonly Ref[]
}

export function metOf(row: SqlRow, { seldom, sealed, parents }: Met): MetMemory {
  // Set, not put together anew: a walk meets thousands.
  const state: ReturnType<typeof shownIn> & { parents?: readonly Ref[] } = shownIn(row, seldom)
  state.parents = parents
  return { state, sealed, notes: NO_NOTES } as unknown as Untrusted<MetMemory>
}

/** What is shown of a memory, out of the columns above. */
export function shownIn(row: SqlRow, seldom: SqlRow | null) {
  const ref = row[0] as Untrusted<Ref>
  const bornAt = row[2]
  const { evidence, flags, notes, moves, distrust, rewordingOf } = saidSince(row[8])
  const colon = ref.indexOf(':')
  const erased = seldom ? erasedIn(seldom[13]) : null
  return {
    ref,
    kind: ref.slice(0, colon),
    id: ref.slice(colon + 1),
    revision: seldom ? seldom[0] : 1,
    revisionSeq: seldom ? seldom[1] : row[1],
    bornAt,
    label: seldom && erased ? seldom[14] : null,
    disposition: row[3],
    tier: row[4],
    confidence: { value: row[5], at: seldom ? seldom[2] : bornAt },
    strength: { value: row[6], at: seldom ? seldom[3] : bornAt },
    isProtected: seldom !== null && seldom[4] === 1,
    facets: {
      subtype: row[7],
      status: seldom ? seldom[8] : null,
      tags: seldom ? listIn(seldom[9]) : [],
    },
    accesses: seldom ? seldom[5] : 0,
    accessedAt: seldom ? seldom[10] : null,
    verifications: seldom ? seldom[6] : 0,
    verifiedAt: seldom ? seldom[11] : null,
    reinforcements: seldom ? seldom[7] : 0,
    evidence,
    flags,
    notes,
    moves,
    review: seldom ? seldom[12] : null,
    distrust,
    rewordingOf,
    erased,
  }
}
