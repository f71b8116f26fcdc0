import type { Ref } from '../../domain/ids.ts'
import type { MetMemory } from '../../ports/store.ts'
import { selected } from './columns.ts'
import type { Connection } from './connection.ts'
import type { SqlRow, SqlValue } from './driver.ts'
import {
  erasedIn,
  FATE_COLUMNS,
  facetsIn,
  NO_NOTES,
  saidSince,
  WITH_SEALED,
} from './memory-rows.ts'
import { withNotes } from './notes.ts'
import type { Untrusted } from './rows.ts'

export const MET_COLUMNS = [
  'ref',
  'kind',
  'revision',
  'revision_seq',
  'born_at',
  'disposition',
  'tier',
  'confidence',
  'confidence_at',
  'strength',
  'strength_at',
  'is_protected',
  'subtype',
  'status',
  'name',
  'context',
  'context_tags',
  'tags',
  ...FATE_COLUMNS,
  'label',
] as const

const MET = `${selected(MET_COLUMNS, 'm')}, CAST(s.bytes AS TEXT), m.seq`
const KEY_AT = MET_COLUMNS.length + 1

const FOUND = `
  SELECT ${MET} FROM json_each(?) j CROSS JOIN memories m ON m.seq = j.value ${WITH_SEALED}`

// By the key of `edges`, so that the parents of a memory come in their order.
const LINKS = `
  SELECT e.child, e.parent FROM json_each(?) j CROSS JOIN edges e ON e.child = j.value`

const OTHERS = `
  SELECT j.value, coalesce(p.ref, a.ref, '?') FROM json_each(?) j
    LEFT JOIN memories p ON p.seq = j.value LEFT JOIN absent a ON a.key = j.value`

/** The memories of these keys, in this order. */
export function metWith(connection: Connection, keys: readonly SqlValue[]): readonly MetMemory[] {
  const listed = JSON.stringify(keys)
  const rows = connection.prepare(FOUND).all(listed)
  const parents = parentsAmong(connection, listed, rows)
  const found = rows.map((row) => metOf(row, parents.get(row[KEY_AT] ?? null) ?? []))
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
  const links = connection.prepare(LINKS).all(listed)
  const refs = new Map<SqlValue, Ref>()
  for (const row of met) refs.set(row[KEY_AT] ?? null, row[0] as Untrusted<Ref>)
  const others = links.flatMap(([, parent = null]) => (refs.has(parent) ? [] : parent))
  const named = others.length === 0 ? [] : connection.prepare(OTHERS).all(JSON.stringify(others))
  for (const [key = null, ref] of named) refs.set(key, ref as Untrusted<Ref>)
  const parents = new Map<SqlValue, Ref[]>()
  for (const [child = null, parent = null] of links) {
    const ref = refs.get(parent) as Ref // all of them were looked up
    const known = parents.get(child)
    if (known) known.push(ref)
    else parents.set(child, [ref])
  }
  return parents
}

export function metOf(row: SqlRow, parents: readonly Ref[]): MetMemory {
  const ref = row[0] as Untrusted<Ref>
  const kind = row[1] as Untrusted<string>
  const { evidence, anchors, flags, notes, moves, distrust, echo } = saidSince(row[23])
  const state = {
    ref,
    kind,
    id: ref.slice(kind.length + 1),
    revision: row[2],
    revisionSeq: row[3],
    bornAt: row[4],
    disposition: row[5],
    tier: row[6],
    confidence: { value: row[7], at: row[8] },
    strength: { value: row[9], at: row[10] },
    isProtected: row[11] === 1,
    facets: facetsIn(row, 12),
    accesses: row[18],
    accessedAt: row[19],
    verifications: row[20],
    verifiedAt: row[21],
    reinforcements: row[22],
    evidence,
    anchors,
    flags,
    notes,
    moves,
    review: row[24],
    distrust,
    echo,
    erased: erasedIn(row[25]),
    label: row[26],
    parents,
  }
  const sealed = row[MET_COLUMNS.length]
  return { state, sealed, notes: NO_NOTES } as unknown as Untrusted<MetMemory>
}
