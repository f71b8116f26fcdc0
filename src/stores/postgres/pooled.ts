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
} from '../../domain/term-pool.ts'
import type { Narrowed } from '../../ports/store.ts'
import type { Untrusted } from '../sql/rows.ts'
import { each, listed } from './columns.ts'
import type { Connection } from './connection.ts'
import { atMost, keptOf, keysIn } from './listing.ts'
import { ranked } from './matching.ts'
import { narrowed } from './narrow.ts'
import { listOf } from './text.ts'

const ALL = `
  SELECT coalesce((SELECT s.documents FROM stacks s WHERE s.stack_id = $1), 0),
    coalesce((SELECT max(w.seq) FROM words w WHERE w.stack_id = $1), 0)`

const HELD = `
  SELECT h.many, h.oldest FROM unnest(?::text[]) WITH ORDINALITY AS j (term, at),
    LATERAL (
      SELECT count(*) AS many, coalesce(min(seq), 0) AS oldest FROM (
        SELECT p.seq FROM postings p WHERE p.stack_id = $1 AND p.term = j.term
        ORDER BY p.seq DESC LIMIT ${HELD_COUNTED_MAX}) newest) h
  ORDER BY j.at`

export interface Counted {
  readonly documents: number
  readonly held: readonly HeldTerm[]
}

/** How many memories there are, and how many of them hold each term. */
export async function countedIn(
  connection: Connection,
  terms: readonly string[],
): Promise<Counted> {
  const counting = connection.row(ALL)
  const rows = terms.length === 0 ? [] : await connection.rows(HELD, listOf(terms))
  const [documents, last] = ((await counting) ?? []).map(Number) as [number, number] // two numbers
  const held = terms.map((term, at) => {
    const [counted, oldest] = rows[at] ?? []
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
export async function pooled(
  connection: Connection,
  { documents, held }: Counted,
  { kinds, where, hits }: Pool,
): Promise<{ readonly keys: readonly number[]; readonly isCut: boolean }> {
  const { telling, common } = splitTerms(held, { hits, documents })
  const lookedAt = atMost(hits * LOOKED_AT_TIMES)
  let hasMore = false
  const keep = async (looked: readonly number[], limit: number): Promise<readonly number[]> => {
    hasMore ||= looked.length === lookedAt
    const kept = await keptOf(connection, looked, { kinds, where: narrowed(where) })
    return kept.slice(0, limit)
  }
  const best = async (limit: number): Promise<readonly number[]> => {
    if (telling.length === 0) return []
    const looked = await ranked(connection, telling, lookedAt)
    return keep(
      looked.map(({ seq }) => seq),
      limit,
    )
  }
  if (common.length === 0) {
    const kept = await best(hits + 1)
    return { keys: kept.slice(0, hits), isCut: kept.length > hits || hasMore }
  }
  const pool = new Set(await best(hits * POOL_TIMES))
  const newest = async (holdingMin: number): Promise<void> => {
    if (pool.size > hits) return
    const looked = await connection.rows(NEWEST, listOf(common), holdingMin, lookedAt)
    for (const key of await keep(keysIn(looked), hits + 1)) pool.add(key)
  }
  if (common.length > 1) await newest(common.length)
  await newest(1)
  const texts = await connection.rows(TEXTS, listOf([...pool]))
  const some = texts.map(([seq, terms]) => ({ seq, terms }) as Untrusted<PooledText>)
  const keys = scoredByWords(some, held, documents).map(({ seq }) => seq)
  return { keys: keys.slice(0, hits), isCut: pool.size > hits || hasMore }
}

const TEXTS = `SELECT w.seq, w.terms FROM ${listed('bigint')} ${each('words', 'seq', 'j.key', 'w')}`

// The newest memories are looked at one after the other until enough were found: what is asked for
// here is held by very many.
const NEWEST = `
  SELECT w.seq FROM words w
  WHERE w.stack_id = $1
    AND (SELECT count(*) FROM postings p
         WHERE p.stack_id = $1 AND p.term = ANY (?::text[]) AND p.seq = w.seq) >= ?
  ORDER BY w.seq DESC LIMIT ?`
