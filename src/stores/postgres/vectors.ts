import type { ReadResults } from '../../ports/store.ts'
import type { KeptVectors, TouchedRow, VectorBatch, VectorModel } from '../../ports/vectors.ts'
import type { Untrusted } from '../sql/rows.ts'
import { each } from './columns.ts'
import type { Connection } from './connection.ts'
import type { PgRow } from './driver.ts'
import { listOf } from './text.ts'

const KNOW_MODEL = `
  INSERT INTO vector_models (stack_id, key, id, dimension, upto)
  SELECT $1, coalesce(max(m.key), 0) + 1, ?, ?, -1 FROM vector_models m WHERE m.stack_id = $1
  ON CONFLICT (stack_id, id, dimension) DO NOTHING`
const MODEL = `
  SELECT m.key, m.upto FROM vector_models m
  WHERE m.stack_id = $1 AND m.id = ? AND m.dimension = ?`
const REACH = `
  UPDATE vector_models SET upto = greatest(upto, ?) WHERE stack_id = $1 AND key = ?`
// Of what search still finds, in the words it has now: another process may have erased it meanwhile.
const PUT = `
  INSERT INTO vectors (stack_id, model, seq, revision_seq, at_ms, vector)
  SELECT $1, ?, j.seq, j.revision_seq, j.at_ms, j.vector
  FROM unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::bytea[])
      AS j (seq, revision_seq, at_ms, vector)
    ${each('memories', 'seq', 'j.seq')} ${each('words', 'seq', 'j.seq', 'w')}
  WHERE m.revision_seq = j.revision_seq
  ON CONFLICT (stack_id, model, seq) DO UPDATE
  SET revision_seq = excluded.revision_seq, at_ms = excluded.at_ms, vector = excluded.vector`

/** Writes into the transaction that is open; false where nothing was written. */
export async function putVectors(
  connection: Connection,
  { model, from, upto, rows }: VectorBatch,
): Promise<boolean> {
  const knowing = connection.rows(KNOW_MODEL, model.id, model.dimension)
  const [key = 0, reached] = (await connection.row(MODEL, model.id, model.dimension)) ?? []
  await knowing
  if (Number(reached) < from) return false
  const latest = [...new Map(rows.map((row) => [row.seq, row])).values()]
  const lists = [
    latest.map(({ seq }) => seq),
    latest.map(({ revisionSeq }) => revisionSeq),
    latest.map(({ atMs }) => atMs),
    latest.map(({ vector }) => {
      return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
    }),
  ]
  await connection.rows(PUT, key, ...lists.map(listOf))
  await connection.rows(REACH, upto, key)
  return true
}

const PAGE_ROWS = 4_096
const PAGE = `
  SELECT v.seq, v.revision_seq, v.at_ms, v.vector FROM vectors v
  WHERE v.stack_id = $1 AND v.model = ? AND v.seq > ? ORDER BY v.seq LIMIT ${PAGE_ROWS}`

export async function vectorsOf(
  connection: Connection,
  { id, dimension }: VectorModel,
): Promise<KeptVectors> {
  const [key = null, upto = -1] = (await connection.row(MODEL, id, dimension)) ?? []
  const all: PgRow[] = []
  for (let last = -1; key !== null; last = Number(all.at(-1)?.[0])) {
    const page = await connection.rows(PAGE, key, last)
    all.push(...page)
    if (page.length < PAGE_ROWS) break
  }
  const values = new Int8Array(all.length * dimension)
  for (const [at, row] of all.entries()) {
    values.set(new Int8Array(row[3] as Untrusted<Uint8Array>), at * dimension)
  }
  return {
    upto: Number(upto),
    seqs: all.map(([seq]) => Number(seq)),
    revisionSeqs: all.map((row) => Number(row[1])),
    atMs: all.map((row) => Number(row[2])),
    values,
  }
}

const TOUCHED = `
  SELECT DISTINCT m.seq, m.revision_seq,
    (SELECT count(*) FROM words w WHERE w.stack_id = $1 AND w.seq = m.seq)
  FROM provenance_log l ${each('memories', 'ref', 'l.ref')}
  WHERE l.stack_id = $1 AND l.seq > ? AND l.seq <= ? ORDER BY m.seq`
const LAST = 'SELECT coalesce(max(l.seq), -1) FROM provenance_log l WHERE l.stack_id = $1'

export async function touched(
  connection: Connection,
  after: number,
  limit: number,
): Promise<ReadResults['touched']> {
  const last = Number((await connection.row(LAST))?.[0])
  const upto = Math.max(after, Math.min(last, after + limit))
  const rows = await connection.rows(TOUCHED, after, upto)
  return {
    rows: rows.map(
      ([seq, revisionSeq, words]) =>
        ({ seq, revisionSeq, hasWords: words !== 0 }) as Untrusted<TouchedRow>,
    ),
    upto,
    isLast: upto >= last,
  }
}
