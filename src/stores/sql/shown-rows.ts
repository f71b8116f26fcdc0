import type { Ref } from '../../domain/ids.ts'
import type { MetMemory, ShelvedMemory } from '../../ports/store.ts'
import { type Dialect, type SqlRow, selected } from './dialect.ts'
import { hashOrNull, textIn, type Untrusted } from './entry-rows.ts'
import { erasedIn, listIn, NO_NOTES, saidSince } from './memory-rows.ts'

/** Columns in which most memories differ; the marks follow them. */
const SHOWN_COLUMNS = [
  'ref',
  'seq',
  'born_at',
  'disposition',
  'tier',
  'confidence',
  'strength',
  'subtype',
] as const

/** Columns in which few memories differ, with the value of all others. */
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

/** In the order of the select. The words of a memory name its label until they are erased. */
export const SELDOM_COLUMNS: readonly string[] = [...SELDOM.map(([column]) => column), 'label']

const TEXT_AT = SHOWN_COLUMNS.length + 1
const WEIGHT_AT = TEXT_AT + 1
const LINE_AT = WEIGHT_AT + 1
export const SHOWN_SEQ_AT = SHOWN_COLUMNS.indexOf('seq')

const shownColumns = (d: Dialect): string =>
  `${selected(d, SHOWN_COLUMNS, 'm')}, ${d.marksOfFew} AS m_marks, ${d.text('s.bytes')} AS s_text`

/** A memory met on a walk, out of `memories m … sealed s`. */
export const MET = (d: Dialect): string => `${shownColumns(d)}, ${d.seldomColumns}`

/** A memory with the columns that decide its place in a load. */
export const SHELVED = (d: Dialect): string =>
  `${shownColumns(d)}, ${selected(d, ['weight', 'line'], 'm')}, ${d.seldomColumns}`

export function metOf(d: Dialect, row: SqlRow, parents: readonly Ref[]): MetMemory {
  // Set, not put together anew: a walk meets thousands.
  const state: Shown & { parents?: readonly Ref[] } = shownIn(row, d.seldomIn(row, WEIGHT_AT))
  state.parents = parents
  const found = { state, sealed: textIn(row[TEXT_AT]), notes: NO_NOTES }
  return found as unknown as Untrusted<MetMemory>
}

export function shelvedOf(d: Dialect, row: SqlRow): ShelvedMemory {
  const chosenBy = {
    seq: row[SHOWN_SEQ_AT],
    weight: row[WEIGHT_AT],
    line: hashOrNull(row[LINE_AT]),
  }
  const state = Object.assign(shownIn(row, d.seldomIn(row, LINE_AT + 1)), chosenBy)
  const found = { state, sealed: textIn(row[TEXT_AT]), notes: NO_NOTES }
  return found as unknown as Untrusted<ShelvedMemory>
}

type Shown = ReturnType<typeof shownIn>

/** A null for `seldom` means the usual values. */
function shownIn(row: SqlRow, seldom: SqlRow | null) {
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
