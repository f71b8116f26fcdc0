import type { Ref } from '../../domain/ids.ts'
import type { MetMemory } from '../../ports/store.ts'
import { selected } from '../sql/columns.ts'
import { CLAIM_ALONE, WITH_SEALED } from '../sql/memory-rows.ts'
import { MET_COLUMNS, metOf, SELDOM, SELDOM_COLUMNS } from '../sql/met-rows.ts'
import type { Untrusted } from '../sql/rows.ts'
import type { SqlRow, SqlValue } from '../sql/values.ts'
import type { Connection } from './connection.ts'
import { withNotes } from './notes.ts'

const AS_MOST = SELDOM.map(([column, usual]) => `m.${column} ${usual}`).join(' AND ')
export const SELDOM_AT = MET_COLUMNS.length
export const SEALED_AT: number = SELDOM_AT + 1
const KEY_AT = MET_COLUMNS.indexOf('seq')

// Handing over a value costs as much as reading it: of fifteen that say nothing, none is.
export const MET = `
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

export function seldomIn(row: SqlRow): SqlRow | null {
  const seldom = row[SELDOM_AT] ?? null
  return seldom === null ? null : (JSON.parse(String(seldom)) as SqlRow) // as asked for
}

/** The memories of these keys, a list as JSON, in this order. */
export function metWith(connection: Connection, listed: string): readonly MetMemory[] {
  const rows = connection.prepare(FOUND).all(listed)
  const parents = parentsAmong(connection, listed, rows)
  const found = rows.map((row) => {
    return metOf(row, {
      seldom: seldomIn(row),
      sealed: row[SEALED_AT] ?? null,
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

const keysIn = (listed: SqlValue): readonly number[] => JSON.parse(String(listed)) as number[]
