import type { Match, ReadQuery, StoredMemory } from '../../ports/store.ts'
import type { Connection } from './connection.ts'
import type { SqlValue } from './driver.ts'
import { STORED, storedOf, WITH_SEALED } from './memory-rows.ts'
import { narrowed } from './narrow.ts'
import { withNotes } from './notes.ts'

type Listing = Extract<ReadQuery, { type: 'list' | 'heaviest' | 'review' }>

/** SQLite takes whole numbers only, and there are no more rows than this. */
export const atMost = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER)

interface Question {
  readonly where: string
  readonly order: string
  readonly values: readonly SqlValue[]
}

function questionOf(query: Listing): Question {
  switch (query.type) {
    case 'list': {
      const { sql, values } = narrowed(query.where)
      const before = atMost(query.before ?? Infinity)
      return {
        where: `m.kind = ? AND m.seq < ?${sql}`,
        order: 'm.seq DESC',
        values: [query.kind, before, ...values],
      }
    }
    case 'heaviest': {
      const { sql, values } = narrowed(query.where)
      const { weight, seq } = query.behind ?? { weight: Number.MAX_VALUE, seq: 0 }
      return {
        where: `m.kind = ? AND (m.weight, m.seq) < (?, ?)${sql}`,
        order: 'm.weight DESC, m.seq DESC',
        values: [query.kind, weight, seq, ...values],
      }
    }
    case 'review':
      return {
        where: 'm.review IN (SELECT value FROM json_each(?)) AND m.seq < ?',
        order: 'm.seq DESC',
        values: [JSON.stringify(query.kinds), atMost(query.before ?? Infinity)],
      }
  }
}

export function listed(connection: Connection, query: Listing): readonly StoredMemory[] {
  const { where, order, values } = questionOf(query)
  const sql = `
    SELECT ${STORED} FROM memories m ${WITH_SEALED} WHERE ${where} ORDER BY ${order} LIMIT ?`
  const rows = connection.prepare(sql).all(...values, atMost(query.limit))
  return withNotes(connection, rows.map(storedOf))
}

// Ranked by key first, so that only the rows of one page are read whole.
const RANKED = (conditions: string): string => `
  WITH hits AS (
    SELECT m.seq AS key, round(-bm25(words), 6) AS score
    FROM words JOIN memories m ON m.seq = words.rowid
    WHERE words MATCH ? AND m.kind IN (SELECT value FROM json_each(?))${conditions}
    ORDER BY score DESC, key LIMIT ? OFFSET ?
  )
  SELECT ${STORED}, h.score FROM hits h CROSS JOIN memories m ON m.seq = h.key ${WITH_SEALED}
  ORDER BY h.score DESC, h.key`

export function matched(
  connection: Connection,
  { terms, kinds, skip, limit, where }: Extract<ReadQuery, { type: 'match' }>,
): readonly Match[] {
  if (terms.length === 0) return []
  const { sql, values } = narrowed(where)
  const asked = [expression(terms), JSON.stringify(kinds), ...values, atMost(limit), skip]
  const rows = connection.prepare(RANKED(sql)).all(...asked)
  const found = withNotes(connection, rows.map(storedOf))
  return found.map((memory, index) => ({ memory, score: Number(rows[index]?.at(-1)) }))
}

/** Each term quoted, any of them: what a person typed is never syntax. */
const expression = (terms: readonly string[]): string =>
  [...new Set(terms)].map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')
