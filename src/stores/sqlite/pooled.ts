import {
  HELD_COUNTED_MAX,
  type HeldTerm,
  heldIn,
  LOOKED_AT_TIMES,
  POOL_TIMES,
  scoredByWords,
  splitTerms,
} from '../../domain/term-pool.ts'
import type { RecalledRow } from '../../ports/recalled.ts'
import type { SqlRow } from '../sql/values.ts'
import type { Connection } from './connection.ts'
import { atMost } from './listing.ts'
import { ALL, allOf, anyOf, ranked } from './matching.ts'
import type { RowsOf } from './recalled-rows.ts'

const HELD = `
  SELECT count(*), min(rowid) FROM (
    SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ${HELD_COUNTED_MAX})`
const LAST = 'SELECT max(id) FROM words_docsize'

export interface Counted {
  readonly documents: number
  readonly held: readonly HeldTerm[]
}

/** How many memories there are, and how many of them hold each term. */
export function countedIn(connection: Connection, terms: readonly string[]): Counted {
  const documents = Number(connection.prepare(ALL).get()?.[0])
  const last = Number(connection.prepare(LAST).get()?.[0] ?? 0)
  const held = terms.map((term) => {
    const [counted, oldest] = connection.prepare(HELD).get(anyOf([term])) ?? []
    return { term, held: heldIn(Number(counted), { oldest: Number(oldest), last, documents }) }
  })
  return { documents, held }
}

interface Pool {
  readonly rowsOf: RowsOf
  readonly hits: number
}

/** The best that the filters leave, one more than is asked for where there are more. */
export function pooled(
  connection: Connection,
  { documents, held }: Counted,
  { rowsOf, hits }: Pool,
): { readonly rows: readonly RecalledRow[]; readonly isCut: boolean } {
  const { telling, common } = splitTerms(held, { hits, documents })
  const lookedAt = atMost(hits * LOOKED_AT_TIMES)
  let hasMore = false
  const kept = (looked: readonly SqlRow[], limit: number): readonly RecalledRow[] =>
    rowsOf(
      looked.map(([key]) => Number(key)),
      limit,
    )
  const best = (limit: number): readonly RecalledRow[] => {
    if (telling.length === 0) return []
    const counted = held.filter((each) => each.held < HELD_COUNTED_MAX)
    const looked = ranked(connection, {
      terms: telling,
      count: lookedAt,
      held: new Map(counted.map((each) => [each.term, each.held])),
    })
    hasMore ||= looked.length === lookedAt
    return kept(looked, limit)
  }
  if (common.length === 0) {
    const found = best(hits + 1)
    return { rows: found.slice(0, hits), isCut: found.length > hits || hasMore }
  }
  const pool = new Map(best(hits * POOL_TIMES).map((row) => [row.seq, row]))
  const newest = (match: string): void => {
    if (pool.size > hits) return
    const some: RecalledRow[] = []
    let seen = 0
    for (const count of [hits * FIRST_LOOKED_AT_TIMES, lookedAt]) {
      const looked = connection.prepare(NEWEST).all(match, atMost(count))
      some.push(...kept(looked.slice(seen), hits + 1 - some.length))
      seen = looked.length
      if (some.length <= hits && looked.length === count && count < lookedAt) continue
      hasMore ||= looked.length === lookedAt
      for (const row of some) pool.set(row.seq, row)
      return
    }
  }
  if (common.length > 1) newest(allOf(common))
  newest(anyOf(common))
  const rows = scoredByWords([...pool.values()], held, documents).slice(0, hits)
  return { rows, isCut: pool.size > hits || hasMore }
}

/** Without filters the first so many for each hit are enough, and a quarter of the cost of all. */
const FIRST_LOOKED_AT_TIMES = 2

const NEWEST = 'SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT +?'
