import {
  BESIDE_HITS_MAX,
  BESIDE_REACH,
  type ReadQuery,
  type Recalled,
  type RecalledRow,
} from '../../ports/store.ts'
import type { Connection } from './connection.ts'
import type { SqlRow, SqlValue } from './driver.ts'
import { atMost, keptOf } from './listing.ts'
import { ALL, anyOf, askable, bestKept, HOLDING } from './matching.ts'
import { narrowed } from './narrow.ts'
import type { Untrusted } from './rows.ts'

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

export function recalled(
  connection: Connection,
  { terms, kinds, hits, where }: Extract<ReadQuery, { type: 'recall' }>,
): Recalled {
  const asked = askable(terms)
  const holding = terms.map((term) => (asked.includes(term) ? holdingOf(connection, term) : 0))
  const documents = Number(connection.prepare(ALL).get()?.[0])
  if (asked.length === 0 || hits <= 0)
    return { documents, holding, rows: [], runs: [], isCut: false }
  const end = atMost(hits)
  const { kept } = bestKept(connection, { terms: asked, kinds, where, end: atMost(end + 1) })
  const keys = kept.slice(0, end)
  const beside = runsOf(connection, keys.slice(0, BESIDE_HITS_MAX))
  const known = new Set(keys)
  const others = [...new Set(beside.flat())].filter((key) => !known.has(key))
  const allowed = keptOf(connection, others, { kinds, where: narrowed(where) })
  const rows = connection
    .prepare(ROWS)
    .all(JSON.stringify([...keys, ...allowed]))
    .map(rowOf)
  return { documents, holding, rows, runs: beside, isCut: kept.length > end }
}

const holdingOf = (connection: Connection, term: string): number =>
  Number(connection.prepare(HOLDING).get(anyOf([term]))?.[0])

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

const rowOf = ([seq, revisionSeq, label, sourceId, session, bornAt, strength, terms]: SqlRow) =>
  ({
    seq,
    revisionSeq,
    label,
    sourceId,
    session,
    bornAt,
    strength,
    terms,
  }) as unknown as Untrusted<RecalledRow>
