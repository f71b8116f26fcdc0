import type { Ref } from '../../domain/ids.ts'
import type { MetMemory } from '../../ports/store.ts'
import { selected } from './columns.ts'
import type { Connection } from './connection.ts'
import type { SqlRow, SqlValue } from './driver.ts'
import { CLAIM_ALONE, erasedIn, listIn, NO_NOTES, saidSince, WITH_SEALED } from './memory-rows.ts'
import { withNotes } from './notes.ts'
import type { Untrusted } from './rows.ts'

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
const SELDOM = [
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

export const SELDOM_COLUMNS: readonly string[] = SELDOM.map(([column]) => column)

const AS_MOST = SELDOM.map(([column, usual]) => `m.${column} ${usual}`).join(' AND ')
const SELDOM_AT = MET_COLUMNS.length
const KEY_AT = MET_COLUMNS.indexOf('seq')

// Handing over a value costs as much as reading it: of fifteen that say nothing, none is.
const MET = `
  ${selected(MET_COLUMNS.slice(0, -1), 'm')},
  CASE WHEN m.marks GLOB '${CLAIM_ALONE}*' THEN NULL ELSE m.marks END AS m_marks,
  CASE WHEN ${AS_MOST} THEN NULL
    ELSE json_array(${SELDOM_COLUMNS.map((column) => `m.${column}`).join(', ')}) END AS m_seldom,
  CAST(s.bytes AS TEXT) AS s_text`

const FOUND = `
  SELECT ${MET} FROM json_each(?) j CROSS JOIN memories m ON m.seq = j.value ${WITH_SEALED}`

// By the key of `edges`, so that the parents of a memory come in their order; told in two lists,
// since a row for each link would cost more than finding it.
const LINKS = `
  SELECT json_group_array(e.child), json_group_array(e.parent)
  FROM json_each(?) j CROSS JOIN edges e ON e.child = j.value`

const OTHERS = `
  SELECT j.value, coalesce(p.ref, a.ref, '?') FROM json_each(?) j
    LEFT JOIN memories p ON p.seq = j.value LEFT JOIN absent a ON a.key = j.value`

/** The memories of these keys, a list as JSON, in this order. */
export function metWith(connection: Connection, listed: string): readonly MetMemory[] {
  const rows = connection.prepare(FOUND).all(listed)
  const parents = parentsAmong(connection, listed, rows)
  const found = rows.map((row) => {
    const seldom = row[SELDOM_AT] ?? null
    return metOf(row, {
      seldom: seldom === null ? null : (JSON.parse(String(seldom)) as SqlRow), // as asked for
      sealed: row[SELDOM_AT + 1] ?? null,
      parents: parents.get(row[KEY_AT] ?? null) ?? [],
    })
  })
  return withNotes(connection, found)
}

/**
 * Asked for once for all of them: on a walk of thousands, asking for each is a third of the whole.
 * Most parents were met themselves, so that only the others' refs are looked up.
 */
function parentsAmong(
  connection: Connection,
  listed: string,
  met: readonly SqlRow[],
): ReadonlyMap<SqlValue, readonly Ref[]> {
  const [children, linked] = (connection.prepare(LINKS).get(listed) ?? []).map(keysIn)
  const refs = new Map<SqlValue, Ref>()
  for (const row of met) refs.set(row[KEY_AT] ?? null, row[0] as Untrusted<Ref>)
  const others = linked?.filter((parent) => !refs.has(parent)) ?? []
  const named = others.length === 0 ? [] : connection.prepare(OTHERS).all(JSON.stringify(others))
  for (const [key = null, ref] of named) refs.set(key, ref as Untrusted<Ref>)
  const parents = new Map<SqlValue, Ref[]>()
  for (let at = 0; at < (children?.length ?? 0); at += 1) {
    const child = children?.[at] ?? null
    const ref = refs.get(linked?.[at] ?? null) as Ref // all of them were looked up
    const known = parents.get(child)
    if (known) known.push(ref)
    else parents.set(child, [ref])
  }
  return parents
}

const keysIn = (listed: SqlValue): readonly number[] => JSON.parse(String(listed)) as number[] // as asked for

interface Met {
  /** Null where the memory stands as most do. */
  readonly seldom: SqlRow | null
  readonly sealed: SqlValue
  readonly parents: readonly Ref[]
}

export function metOf(row: SqlRow, { seldom, sealed, parents }: Met): MetMemory {
  const ref = row[0] as Untrusted<Ref>
  const bornAt = row[3]
  const { evidence, anchors, flags, notes, moves, distrust, echo } = saidSince(row[11])
  const colon = ref.indexOf(':')
  const state = {
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
    parents,
  }
  return { state, sealed, notes: NO_NOTES } as unknown as Untrusted<MetMemory>
}
