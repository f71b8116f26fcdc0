import type { Match, ReadQuery } from '../../ports/store.ts'
import type { Connection } from './connection.ts'
import type { SqlRow, SqlValue } from './driver.ts'
import { atMost, keptOf, storedWith } from './listing.ts'
import { narrowed } from './narrow.ts'

// Ranked without looking at the memories: the index alone is a third of the cost of both.
const RANKED = `
  SELECT rowid, round(-bm25(words), 6) AS score FROM words WHERE words MATCH ?
  ORDER BY score DESC, rowid LIMIT ?`

const HITS_MIN = 256 // ranked at a time; filters leave most of them
const HITS_GROWTH = 16 // times as many when filters left too few: ranking costs the same for any number

/** The best that the filters leave; as many hits are looked at as that takes. */
export function matched(
  connection: Connection,
  { terms, kinds, skip, limit, where }: Extract<ReadQuery, { type: 'match' }>,
): readonly Match[] {
  const asked = expressionOf(terms)
  const end = atMost(skip + limit)
  if (asked === '' || end <= skip) return []
  const conditions = narrowed(where)
  for (let count = Math.max(HITS_MIN, end); ; count = atMost(count * HITS_GROWTH)) {
    const hits = connection.prepare(RANKED).all(asked, count)
    const keys = hits.flatMap(([key]) => key ?? [])
    const kept = keptOf(connection, keys, { kinds, where: conditions })
    if (kept.length >= end || hits.length < count) {
      return withScores(connection, kept.slice(skip, end), hits)
    }
  }
}

function withScores(
  connection: Connection,
  keys: readonly SqlValue[],
  hits: readonly SqlRow[],
): readonly Match[] {
  const scores = new Map(hits.map(([key, score]) => [key, Number(score)]))
  const found = storedWith(connection, keys)
  return found.map((memory) => ({ memory, score: scores.get(memory.state.seq) ?? 0 }))
}

/** What a term may hold in ASCII; what else stands in the text of one is no term, and found nowhere. */
const TERM = /^[a-z0-9\u0080-\u{10ffff}]+$/u

/** Each term quoted, any of them: what a person typed is never syntax. */
const expressionOf = (terms: readonly string[]): string =>
  [...new Set(terms)]
    .filter((term) => TERM.test(term))
    .map((term) => `"${term}"`)
    .join(' OR ')
