import {
  BESIDE_HITS_MAX,
  BESIDE_NEAR_MAX,
  BESIDE_REACH,
  type Recalled,
} from '../../ports/recalled.ts'
import type { ReadQuery } from '../../ports/store.ts'
import type { SqlValue } from '../sql/values.ts'
import { askable } from '../sql/words.ts'
import type { Connection } from './connection.ts'
import { atMost } from './listing.ts'
import { countedIn, pooled } from './pooled.ts'
import { rowsBy } from './recalled-rows.ts'

/** Said in the same session, of the same kind, and by itself: what was captured has no words. */
const BESIDE = (way: '<' | '>', order: 'DESC' | 'ASC'): string => `(
  SELECT group_concat(seq) FROM (
    SELECT b.seq FROM memories b
    WHERE b.session = m.session AND b.kind = m.kind AND b.seq ${way} m.seq AND b.captured = 0
    ORDER BY b.seq ${order} LIMIT ${BESIDE_REACH}))`

const RUNS = `
  SELECT m.seq AS own, ${BESIDE('<', 'DESC')} AS before, ${BESIDE('>', 'ASC')} AS after
  FROM json_each(?) j CROSS JOIN memories m ON m.seq = j.value WHERE m.session IS NOT NULL`

export function recalled(
  connection: Connection,
  { terms, near, kinds, hits, where }: Extract<ReadQuery, { type: 'recall' }>,
): Recalled {
  const asked = askable(terms)
  const counted = countedIn(connection, asked)
  const { documents } = counted
  const counts = new Map(counted.held.map(({ term, held }) => [term, held]))
  const holding = terms.map((term) => counts.get(term) ?? 0)
  if (hits <= 0) return { documents, holding, rows: [], runs: [], isCut: false }
  const rowsOf = rowsBy(connection, { kinds, where })
  const { rows: best, isCut } = pooled(connection, counted, { rowsOf, hits: atMost(hits) })
  const keys = best.map(({ seq }) => seq)
  const known = new Set(keys)
  const nearby = near.filter((seq) => !known.has(seq))
  const beside = runsOf(connection, [
    ...keys.slice(0, BESIDE_HITS_MAX),
    ...nearby.slice(0, BESIDE_NEAR_MAX),
  ])
  const others = [...new Set([...nearby, ...beside.flat()])].filter((seq) => !known.has(seq))
  const rows = [...best, ...rowsOf(others, Number.POSITIVE_INFINITY)]
  return { documents, holding, rows, runs: beside, isCut }
}

function runsOf(connection: Connection, keys: readonly number[]): readonly (readonly number[])[] {
  const rows = connection.prepare(RUNS).all(JSON.stringify(keys))
  return rows.map(([own, before, after]) => [
    ...numbersIn(before).reverse(),
    Number(own),
    ...numbersIn(after),
  ])
}

const numbersIn = (list: SqlValue | undefined): number[] =>
  typeof list === 'string' ? list.split(',').map(Number) : []
