import {
  BESIDE_HITS_MAX,
  BESIDE_NEAR_MAX,
  BESIDE_REACH,
  type Recalled,
} from '../../ports/recalled.ts'
import type { ReadQuery } from '../../ports/store.ts'
import { recalledOf } from '../sql/recalled-rows.ts'
import { askable } from '../sql/words.ts'
import { each, listed } from './columns.ts'
import type { Connection } from './connection.ts'
import type { PgValue } from './driver.ts'
import { atMost, keptOf } from './listing.ts'
import { narrowed } from './narrow.ts'
import { countedIn, pooled } from './pooled.ts'
import { listOf } from './text.ts'

/** Said in the same session, of the same kind, and by itself: what was captured has no words. */
const BESIDE = (way: '<' | '>', order: 'DESC' | 'ASC'): string => `(
  SELECT string_agg(seq::text, ',' ORDER BY seq) FROM (
    SELECT b.seq FROM memories b
    WHERE b.stack_id = $1 AND b.session_key = m.session_key AND b.kind = m.kind
      AND b.seq ${way} m.seq AND b.captured = 0
    ORDER BY b.seq ${order} LIMIT ${BESIDE_REACH}) near)`

const RUNS = `
  SELECT m.seq, ${BESIDE('<', 'DESC')}, ${BESIDE('>', 'ASC')}
  FROM ${listed('bigint')}
    ${each('memories', 'seq', 'j.key')}
  WHERE m.session_key IS NOT NULL ORDER BY j.at`

const ROWS = `
  SELECT m.seq, m.revision_seq, m.label, m.source_id, m.session, m.born_at, m.strength, w.terms
  FROM ${listed('bigint')}
    ${each('memories', 'seq', 'j.key')}
    ${each('words', 'seq', 'j.key', 'w')}
  ORDER BY j.at`

export async function recalled(
  connection: Connection,
  { terms, near, kinds, hits, where }: Extract<ReadQuery, { type: 'recall' }>,
): Promise<Recalled> {
  const asked = askable(terms)
  const counted = await countedIn(connection, asked)
  const { documents } = counted
  const counts = new Map(counted.held.map(({ term, held }) => [term, held]))
  const holding = terms.map((term) => counts.get(term) ?? 0)
  if (hits <= 0) return { documents, holding, rows: [], runs: [], isCut: false }
  const { keys, isCut } = await pooled(connection, counted, { kinds, where, hits: atMost(hits) })
  const known = new Set(keys)
  const nearby = near.filter((seq) => !known.has(seq))
  const runs = await runsOf(connection, [
    ...keys.slice(0, BESIDE_HITS_MAX),
    ...nearby.slice(0, BESIDE_NEAR_MAX),
  ])
  const others = [...new Set([...nearby, ...runs.flat()])].filter((seq) => !known.has(seq))
  const allowed = await keptOf(connection, others, { kinds, where: narrowed(where) })
  const rows = await connection.rows(ROWS, listOf([...keys, ...allowed]))
  return { documents, holding, rows: rows.map(recalledOf), runs, isCut }
}

async function runsOf(
  connection: Connection,
  keys: readonly number[],
): Promise<readonly (readonly number[])[]> {
  if (keys.length === 0) return []
  const rows = await connection.rows(RUNS, listOf(keys))
  return rows.map(([own, before, after]) => [
    ...numbersIn(before),
    Number(own),
    ...numbersIn(after),
  ])
}

const numbersIn = (list: PgValue | undefined): readonly number[] =>
  typeof list === 'string' ? list.split(',').map(Number) : []
