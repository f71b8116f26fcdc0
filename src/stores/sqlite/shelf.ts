import type { ReadQuery, ShelvedMemory } from '../../ports/store.ts'
import { WITH_SEALED } from '../sql/memory-rows.ts'
import { shelvedOf } from '../sql/shelf-rows.ts'
import type { SqlRow } from '../sql/values.ts'
import type { Connection } from './connection.ts'
import { atMost, listedAs } from './listing.ts'
import { MET, SEALED_AT, seldomIn } from './met-rows.ts'
import { narrowed } from './narrow.ts'
import { withNotes } from './notes.ts'

const SHELF = `${MET}, m.weight AS m_weight, lower(hex(m.line)) AS m_line`
const WEIGHT_AT = SEALED_AT + 1
const LINE_AT = WEIGHT_AT + 1

// As the index by weight says it, word for word, so that it serves.
const WEIGHTY = (conditions: string): string => `
  SELECT ${SHELF} FROM memories m ${WITH_SEALED}
  WHERE m.kind = ? AND m.weight > 0 AND (m.weight, m.seq) < (?, ?)
    AND m.erased IS NULL${conditions}
  ORDER BY m.weight DESC, m.seq DESC LIMIT +?`

const WEIGHTLESS = (conditions: string): string => `
  SELECT ${SHELF} FROM memories m ${WITH_SEALED}
  WHERE m.kind = ? AND m.weight = 0 AND m.seq < ? AND m.erased IS NULL${conditions}
  ORDER BY m.seq DESC LIMIT +?`

type Shelf = Extract<ReadQuery, { type: 'shelf' }>

export function shelf(connection: Connection, query: Shelf): readonly ShelvedMemory[] {
  const { kind, by, behind, limit, where = {} } = query
  const rows =
    by === 'weight'
      ? byWeight(connection, query)
      : listedAs(SHELF, connection, {
          type: 'list',
          kind,
          before: behind?.seq ?? null,
          limit,
          where,
        })
  const found = rows.map((row) =>
    shelvedOf(row, {
      seldom: seldomIn(row),
      sealed: row[SEALED_AT],
      weight: row[WEIGHT_AT],
      line: row[LINE_AT],
    }),
  )
  return withNotes(connection, found)
}

/** What weighs nothing comes last, and is no part of the index: few kinds have weights at all. */
function byWeight(
  connection: Connection,
  { kind, behind, limit, where }: Shelf,
): readonly SqlRow[] {
  const { sql, values } = narrowed(where)
  const { weight, seq } = behind ?? { weight: Number.MAX_VALUE, seq: Number.MAX_SAFE_INTEGER }
  const heavy =
    weight === 0
      ? []
      : connection.prepare(WEIGHTY(sql)).all(kind, weight, seq, ...values, atMost(limit))
  const left = atMost(limit) - heavy.length
  const last = weight === 0 ? seq : Number.MAX_SAFE_INTEGER
  const light =
    left === 0 ? [] : connection.prepare(WEIGHTLESS(sql)).all(kind, last, ...values, left)
  return [...heavy, ...light]
}
