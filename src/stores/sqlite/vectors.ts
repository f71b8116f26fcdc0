import type { StackId } from '../../domain/ids.ts'
import type { ReadResults } from '../../ports/store.ts'
import type { KeptVectors, TouchedRow, VectorBatch, VectorModel } from '../../ports/vectors.ts'
import type { Untrusted } from '../sql/rows.ts'
import type { SqlRow } from '../sql/values.ts'
import type { Connection } from './connection.ts'

const KNOW_MODEL = 'INSERT OR IGNORE INTO vector_models (id, dimension, upto) VALUES (?, ?, -1)'
const MODEL = 'SELECT key, upto FROM vector_models WHERE id = ? AND dimension = ?'
const REACH = 'UPDATE vector_models SET upto = max(upto, ?) WHERE key = ?'
// Of what search still finds, in the words it has now: another process may have erased it meanwhile.
const PUT = `
  INSERT OR REPLACE INTO vectors (model, seq, revision_seq, at_ms, vector)
  SELECT ?, m.seq, m.revision_seq, ?, ? FROM memories m
  WHERE m.seq = ? AND m.revision_seq = ?
    AND EXISTS (SELECT 1 FROM words_docsize w WHERE w.id = m.seq)`

/** Writes into the transaction that is open; false where nothing was written. */
export function putVectors(
  connection: Connection,
  stack: StackId,
  { model, from, upto, rows }: VectorBatch,
): boolean {
  connection.answersFor(stack)
  connection.prepare(KNOW_MODEL).run(model.id, model.dimension)
  const [key = 0, reached] = connection.prepare(MODEL).get(model.id, model.dimension) ?? []
  if (Number(reached) < from) return false
  const put = connection.prepare(PUT)
  for (const { seq, revisionSeq, atMs, vector } of rows) {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
    put.run(key, atMs, bytes, seq, revisionSeq)
  }
  connection.prepare(REACH).run(upto, key)
  return true
}

// Joined, because most of what a row by itself costs is buffers of its own.
const PAGE = `
  SELECT count(*), json_group_array(seq), json_group_array(revision_seq), json_group_array(at_ms),
    CAST(group_concat(vector, '') AS BLOB)
  FROM (SELECT * FROM vectors WHERE model = ? AND seq > ? ORDER BY seq LIMIT 4096)`

export function vectorsOf(connection: Connection, model: VectorModel): KeptVectors {
  const { id, dimension } = model
  const [key = null, upto = -1] = connection.prepare(MODEL).get(id, dimension) ?? []
  const pages: SqlRow[] = []
  for (let last = -1; key !== null; ) {
    const page = connection.prepare(PAGE).get(key, last) ?? []
    if (Number(page[0]) === 0) break
    pages.push(page)
    last = numbersIn(page[1]).at(-1) ?? last
  }
  const seqs = pages.flatMap((page) => numbersIn(page[1]))
  const values = new Int8Array(seqs.length * dimension)
  let offset = 0
  for (const [, , , , joined] of pages) {
    values.set(new Int8Array(joined as Untrusted<Uint8Array>), offset)
    offset += (joined as Untrusted<Uint8Array>).length
  }
  return {
    upto: Number(upto),
    seqs,
    revisionSeqs: pages.flatMap((page) => numbersIn(page[2])),
    atMs: pages.flatMap((page) => numbersIn(page[3])),
    values,
  }
}

const numbersIn = (list: unknown): readonly number[] => JSON.parse(String(list)) as number[]

const TOUCHED = `
  SELECT DISTINCT m.seq, m.revision_seq, EXISTS (SELECT 1 FROM words_docsize w WHERE w.id = m.seq)
  FROM provenance_log l CROSS JOIN memories m ON m.ref = l.ref
  WHERE l.seq > ? AND l.seq <= ? ORDER BY m.seq`
const LAST = 'SELECT coalesce(max(seq), -1) FROM provenance_log'

export function touched(
  connection: Connection,
  after: number,
  limit: number,
): ReadResults['touched'] {
  const last = Number(connection.prepare(LAST).get()?.[0])
  const upto = Math.max(after, Math.min(last, after + limit))
  const rows = connection.prepare(TOUCHED).all(after, upto)
  return {
    rows: rows.map(
      ([seq, revisionSeq, hasWords]) =>
        ({ seq, revisionSeq, hasWords: hasWords === 1 }) as Untrusted<TouchedRow>,
    ),
    upto,
    isLast: upto >= last,
  }
}
