import type { VectorBatch } from '../../ports/vectors.ts'
import { MODEL } from '../sql/vectors.ts'
import type { Connection } from './connection.ts'
import { POSTGRES } from './dialect.ts'
import { listOf } from './text.ts'

const KNOW_MODEL = `
  INSERT INTO vector_models (stack_id, key, id, dimension, upto)
  SELECT $1, coalesce(max(m.key), 0) + 1, ?, ?, -1 FROM vector_models m WHERE m.stack_id = $1
  ON CONFLICT (stack_id, id, dimension) DO NOTHING`

const REACH = `
  UPDATE vector_models SET upto = greatest(upto, ?) WHERE stack_id = $1 AND key = ?`
// Only for memories still in search, with their current words: another process may have erased them
// meanwhile.
const PUT = `
  INSERT INTO vectors (stack_id, model, seq, revision_seq, at_ms, vector)
  SELECT $1, ?, j.seq, j.revision_seq, j.at_ms, j.vector
  FROM unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::bytea[])
      AS j (seq, revision_seq, at_ms, vector)
    ${POSTGRES.one('memories', 'seq', 'j.seq', 'm')} ${POSTGRES.one('words', 'seq', 'j.seq', 'w')}
  WHERE m.revision_seq = j.revision_seq
  ON CONFLICT (stack_id, model, seq) DO UPDATE
  SET revision_seq = excluded.revision_seq, at_ms = excluded.at_ms, vector = excluded.vector`

/** Writes into the open transaction; false when nothing was written. */
export async function putVectors(
  connection: Connection,
  { model, from, upto, rows }: VectorBatch,
): Promise<boolean> {
  const knowing = connection.rows(KNOW_MODEL, model.id, model.dimension)
  const [key = 0, reached] =
    (await connection.row(MODEL(POSTGRES), model.id, model.dimension)) ?? []
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
