import type { RecordKind } from '../../domain/kind-names.ts'
import {
  HELD_COUNTED_MAX,
  type HeldTerm,
  heldIn,
  LOOKED_AT_TIMES,
  POOL_TIMES,
  type PooledText,
  scoredByWords,
  splitTerms,
} from '../../domain/pooling.ts'
import type { Narrowed } from '../../ports/store.ts'
import type { Untrusted } from '../sql/rows.ts'
import type { SqlRow, SqlValue } from '../sql/values.ts'
import type { Connection } from './connection.ts'
import { atMost, keptOf } from './listing.ts'
import { ALL, allOf, anyOf, ranked } from './matching.ts'
import { narrowed } from './narrow.ts'

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
  readonly kinds: readonly RecordKind[]
  readonly where: Narrowed | undefined
  readonly hits: number
}

/** The best that the filters leave, one more than is asked for where there are more. */
export function pooled(
  connection: Connection,
  { documents, held }: Counted,
  { kinds, where, hits }: Pool,
): { readonly keys: readonly SqlValue[]; readonly isCut: boolean } {
  const { telling, common } = splitTerms(held, { hits, documents })
  const lookedAt = atMost(hits * LOOKED_AT_TIMES)
  let hasMore = false
  const kept = (looked: readonly SqlRow[], limit: number): readonly SqlValue[] =>
    keptOf(
      connection,
      looked.flatMap(([key]) => key ?? []),
      { kinds, where: narrowed(where), limit },
    )
  const best = (limit: number): readonly SqlValue[] => {
    if (telling.length === 0) return []
    const looked = ranked(connection, telling, lookedAt)
    hasMore ||= looked.length === lookedAt
    return kept(looked, limit)
  }
  if (common.length === 0) {
    const found = best(hits + 1)
    return { keys: found.slice(0, hits), isCut: found.length > hits || hasMore }
  }
  const pool = new Set(best(hits * POOL_TIMES))
  const newest = (match: string): void => {
    if (pool.size > hits) return
    for (const count of [hits * FIRST_LOOKED_AT_TIMES, lookedAt]) {
      const looked = connection.prepare(NEWEST).all(match, atMost(count))
      const some = kept(looked, hits + 1)
      if (some.length <= hits && looked.length === count && count < lookedAt) continue
      hasMore ||= looked.length === lookedAt
      for (const key of some) pool.add(key)
      return
    }
  }
  if (common.length > 1) newest(allOf(common))
  newest(anyOf(common))
  const texts = connection.prepare(TEXTS).all(JSON.stringify([...pool]))
  const some = texts.map(([seq, terms]) => ({ seq, terms }) as Untrusted<PooledText>)
  const keys = scoredByWords(some, held, documents).slice(0, hits)
  return { keys, isCut: pool.size > hits || hasMore }
}

/** Without filters the first so many for each hit are enough, and a quarter of the cost of all. */
const FIRST_LOOKED_AT_TIMES = 2

const TEXTS = 'SELECT w.id, w.c0 FROM json_each(?) j CROSS JOIN words_content w ON w.id = j.value'

const NEWEST = 'SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT +?'
