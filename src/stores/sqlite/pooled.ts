import type { RecordKind } from '../../domain/kind-names.ts'
import {
  HELD_COUNTED_MAX,
  type HeldTerm,
  heldIn,
  POOL_TIMES,
  type PooledText,
  scoredByWords,
  splitTerms,
} from '../../domain/pooling.ts'
import type { Narrowed } from '../../ports/store.ts'
import type { Connection } from './connection.ts'
import type { SqlValue } from './driver.ts'
import { atMost } from './listing.ts'
import { ALL, allOf, anyOf, bestKept } from './matching.ts'
import { narrowed } from './narrow.ts'
import type { Untrusted } from './rows.ts'

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
  const { telling, common } = splitTerms(held, hits)
  if (common.length === 0) {
    const asked = { terms: telling, kinds, where, end: atMost(hits + 1) }
    const kept = telling.length === 0 ? [] : bestKept(connection, asked).kept
    return { keys: kept.slice(0, hits), isCut: kept.length > hits }
  }
  const end = hits * POOL_TIMES
  const asked = { terms: telling, kinds, where, end }
  const pool = new Set(telling.length === 0 ? [] : bestKept(connection, asked).kept.slice(0, end))
  const newest = (match: string): void => {
    if (pool.size > hits) return
    for (const key of newestKept(connection, match, { kinds, where, hits: end })) pool.add(key)
  }
  if (common.length > 1) newest(allOf(common))
  newest(anyOf(common))
  const texts = connection.prepare(TEXTS).all(JSON.stringify([...pool]))
  const some = texts.map(([seq, terms]) => ({ seq, terms }) as Untrusted<PooledText>)
  const best = scoredByWords(some, held, documents)
  return { keys: best.slice(0, hits), isCut: pool.size > hits }
}

const TEXTS = 'SELECT w.id, w.c0 FROM json_each(?) j CROSS JOIN words_content w ON w.id = j.value'

const NEWEST = (conditions: string): string => `
  SELECT w.rowid FROM words w CROSS JOIN memories m ON m.seq = w.rowid
  WHERE words MATCH ? AND m.kind IN (SELECT value FROM json_each(?))${conditions}
  ORDER BY w.rowid DESC LIMIT ?`

function newestKept(
  connection: Connection,
  match: string,
  { kinds, where, hits }: Pool,
): readonly SqlValue[] {
  const { sql, values } = narrowed(where)
  return connection
    .prepare(NEWEST(sql))
    .all(match, JSON.stringify(kinds), ...values, hits)
    .flatMap(([key]) => key ?? [])
}
