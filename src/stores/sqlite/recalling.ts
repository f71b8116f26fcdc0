import {
  BESIDE_HITS_MAX,
  BESIDE_NEAR_MAX,
  BESIDE_REACH,
  type Recalled,
} from '../../ports/recalled.ts'
import type { ReadQuery } from '../../ports/store.ts'
import { recalledOf } from '../sql/recalled-rows.ts'
import type { SqlValue } from '../sql/values.ts'
import { askable } from '../sql/words.ts'
import type { Connection } from './connection.ts'
import { atMost } from './listing.ts'
import { narrowed } from './narrow.ts'
import { countedIn, pooled } from './pooled.ts'

/** Said in the same session, of the same kind, and by itself: what was captured has no words. */
const BESIDE = (way: '<' | '>', order: 'DESC' | 'ASC'): string => `(
  SELECT group_concat(seq) FROM (
    SELECT b.seq FROM memories b
    WHERE b.session = m.session AND b.kind = m.kind AND b.seq ${way} m.seq AND b.captured = 0
    ORDER BY b.seq ${order} LIMIT ${BESIDE_REACH}))`

const RUNS = `
  SELECT m.seq AS own, ${BESIDE('<', 'DESC')} AS before, ${BESIDE('>', 'ASC')} AS after
  FROM json_each(?) j CROSS JOIN memories m ON m.seq = j.value WHERE m.session IS NOT NULL`

// The terms out of the table behind the index: looked up through it they cost twice as much.
const ROWS = `
  SELECT m.seq AS seq, m.revision_seq AS revision, m.label AS label, m.source_id AS source,
    m.session AS session, m.born_at AS born, m.strength AS strength, w.c0 AS terms
  FROM json_each(?) j CROSS JOIN memories m ON m.seq = j.value JOIN words_content w ON w.id = m.seq`

const OTHERS = (conditions: string): string =>
  `${ROWS} WHERE m.kind IN (SELECT value FROM json_each(?))${conditions}`

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
  const { keys, isCut } = pooled(connection, counted, { kinds, where, hits: atMost(hits) })
  const known = new Set(keys)
  const nearby = near.filter((seq) => !known.has(seq))
  const beside = runsOf(connection, [
    ...keys.slice(0, BESIDE_HITS_MAX),
    ...nearby.slice(0, BESIDE_NEAR_MAX),
  ])
  const others = [...new Set([...nearby, ...beside.flat()])].filter((seq) => !known.has(seq))
  const { sql, values } = narrowed(where)
  const rows = [
    ...connection.prepare(ROWS).all(JSON.stringify(keys)),
    ...connection
      .prepare(OTHERS(sql))
      .all(JSON.stringify(others), JSON.stringify(kinds), ...values),
  ]
  return { documents, holding, rows: rows.map(recalledOf), runs: beside, isCut }
}

function runsOf(connection: Connection, keys: readonly SqlValue[]): readonly (readonly number[])[] {
  const rows = connection.prepare(RUNS).all(JSON.stringify(keys))
  return rows.map(([own, before, after]) => [
    ...numbersIn(before).reverse(),
    Number(own),
    ...numbersIn(after),
  ])
}

const numbersIn = (list: SqlValue | undefined): number[] =>
  typeof list === 'string' ? list.split(',').map(Number) : []
