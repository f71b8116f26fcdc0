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
import type { Untrusted } from '../sqlite/rows.ts'
import { each, listed } from './columns.ts'
import type { Connection } from './connection.ts'
import { atMost, keysIn } from './listing.ts'
import { bestKept } from './matching.ts'
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
  const bestOf = async (end: number): Promise<readonly number[]> => {
    if (telling.length === 0) return []
    return (await bestKept(connection, { terms: telling, kinds, where, end })).kept
  }
  if (common.length === 0) {
    const kept = await bestOf(atMost(hits + 1))
    return { keys: kept.slice(0, hits), isCut: kept.length > hits }
  }
  const end = hits * POOL_TIMES
  const pool = new Set((await bestOf(end)).slice(0, end))
  const newest = async (holding: Holding): Promise<void> => {
    if (pool.size > hits) return
    const asked = { kinds, where, hits: atMost(hits + 1) }
    for (const key of await newestKept(connection, { common, holding }, asked)) pool.add(key)
  }
  if (common.length > 1) await newest('all')
  await newest('any')
  const texts = await connection.rows(TEXTS, listOf([...pool]))
  const some = texts.map(([seq, terms]) => ({ seq, terms }) as Untrusted<PooledText>)
  const best = scoredByWords(some, held, documents)
  return { keys: best.slice(0, hits), isCut: pool.size > hits }
}

const TEXTS = `SELECT w.seq, w.terms FROM ${listed('bigint')} ${each('words', 'seq', 'j.key', 'w')}`

type Holding = 'all' | 'any'

// The newest memories are looked at one after the other until enough were found: what is asked for
// here is held by very many.
const NEWEST = (conditions: string): string => `
  SELECT m.seq FROM memories m
  WHERE m.stack_id = $1 AND m.kind = ANY (?::text[])${conditions}
    AND (SELECT count(*) FROM postings p
         WHERE p.stack_id = $1 AND p.term = ANY (?::text[]) AND p.seq = m.seq) >= ?
  ORDER BY m.seq DESC LIMIT ?`

async function newestKept(
  connection: Connection,
  { common, holding }: { readonly common: readonly string[]; readonly holding: Holding },
  { kinds, where, hits }: Pool,
): Promise<readonly number[]> {
  const { sql, values } = narrowed(where)
  const least = holding === 'all' ? common.length : 1
  const asked = [listOf(kinds), ...values, listOf(common), least, hits]
  return keysIn(await connection.rows(NEWEST(sql), ...asked))
}
