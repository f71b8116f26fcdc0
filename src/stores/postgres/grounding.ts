import type { ReadQuery, StoredMemory } from '../../ports/store.ts'
import type { Connection } from './connection.ts'
import { atMost, keysIn, storedWith } from './listing.ts'
import { narrowed } from './narrow.ts'
import { GONE } from './schema.ts'
import { listOf } from './text.ts'

/** Only what was made from something gone can have lost every ground. */
const TOUCHED = `
  SELECT e.child AS seq FROM memories g JOIN edges e ON e.stack_id = $1 AND e.parent = g.seq
    WHERE g.stack_id = $1 AND ${GONE('g.')}
  UNION SELECT e.child FROM absent a JOIN edges e ON e.stack_id = $1 AND e.parent = a.key
    WHERE a.stack_id = $1`

const NAMED = 'SELECT f.seq FROM memories f WHERE f.stack_id = $1 AND f.ref = ANY (?::text[])'

const UNGROUNDED = (from: string, conditions: string): string => `
  SELECT m.seq FROM (${from}) t JOIN memories m ON m.stack_id = $1 AND m.seq = t.seq
  WHERE m.kind = 'belief' AND m.seq < ?${conditions}
    AND EXISTS (SELECT 1 FROM edges e WHERE e.stack_id = $1 AND e.child = m.seq)
    AND NOT EXISTS (
      SELECT 1 FROM edges e JOIN memories p ON p.stack_id = $1 AND p.seq = e.parent
      WHERE e.stack_id = $1 AND e.child = m.seq AND NOT ${GONE('p.')})
  ORDER BY m.seq DESC LIMIT ?`

/** Linear in what was made from gone memories, or in the refs asked about; never in the stack. */
export async function ungrounded(
  connection: Connection,
  { among, before, limit, where }: Extract<ReadQuery, { type: 'ungrounded' }>,
): Promise<readonly StoredMemory[]> {
  const { sql, values } = narrowed(where)
  const asked = [
    ...(among === null ? [] : [listOf(among)]),
    atMost(before ?? Infinity),
    ...values,
    atMost(limit),
  ]
  const rows = await connection.rows(UNGROUNDED(among === null ? TOUCHED : NAMED, sql), ...asked)
  return storedWith(connection, keysIn(rows))
}
