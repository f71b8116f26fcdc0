import type { StackId } from '../../domain/ids.ts'
import type { VectorBatch } from '../../ports/vectors.ts'
import { MODEL } from '../sql/vectors.ts'
import type { Connection } from './connection.ts'
import { SQLITE } from './dialect.ts'

const KNOW_MODEL = 'INSERT OR IGNORE INTO vector_models (id, dimension, upto) VALUES (?, ?, -1)'
const REACH = 'UPDATE vector_models SET upto = max(upto, ?) WHERE key = ?'
// Only for memories still in search, with their current words: another process may have erased them
// meanwhile.
const PUT = `
  INSERT OR REPLACE INTO vectors (model, seq, revision_seq, at_ms, vector)
  SELECT ?, m.seq, m.revision_seq, ?, ? FROM memories m
  WHERE m.seq = ? AND m.revision_seq = ?
    AND EXISTS (SELECT 1 FROM words_docsize w WHERE w.id = m.seq)`

/** Writes into the open transaction; false when nothing was written. */
export function putVectors(
  connection: Connection,
  stack: StackId,
  { model, from, upto, rows }: VectorBatch,
): boolean {
  connection.answersFor(stack)
  connection.prepare(KNOW_MODEL).run(model.id, model.dimension)
  const [key = 0, reached] = connection.prepare(MODEL(SQLITE)).get(model.id, model.dimension) ?? []
  if (Number(reached) < from) return false
  const put = connection.prepare(PUT)
  for (const { seq, revisionSeq, atMs, vector } of rows) {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
    put.run(key, atMs, bytes, seq, revisionSeq)
  }
  connection.prepare(REACH).run(upto, key)
  return true
}
