import type { ReadQuery, StoredMemory } from '../../ports/store.ts'
import type { Connection } from './connection.ts'
import { atMost, storedWith } from './listing.ts'
import { narrowed } from './narrow.ts'
import { GONE } from './schema.ts'

/** Only what was made from something gone can have lost every ground. */
const TOUCHED = `
  SELECT e.child AS seq FROM memories g CROSS JOIN edges e ON e.parent = g.seq WHERE ${GONE('g.')}
  UNION SELECT e.child FROM absent a CROSS JOIN edges e ON e.parent = a.key`

const NAMED = 'SELECT f.seq AS seq FROM json_each(?) j CROSS JOIN memories f ON f.ref = j.value'

const UNGROUNDED = (from: string, conditions: string): string => `
  SELECT m.seq FROM (${from}) t CROSS JOIN memories m ON m.seq = t.seq
  WHERE m.kind = 'belief' AND m.seq < ?${conditions}
    AND EXISTS (SELECT 1 FROM edges e WHERE e.child = m.seq)
    AND NOT EXISTS (
      SELECT 1 FROM edges e CROSS JOIN memories p ON p.seq = e.parent
      WHERE e.child = m.seq AND NOT ${GONE('p.')})
  ORDER BY m.seq DESC LIMIT +?`

/** Linear in what was made from gone memories, or in the refs asked about; never in the stack. */
export function ungrounded(
  connection: Connection,
  { among, before, limit, where }: Extract<ReadQuery, { type: 'ungrounded' }>,
): readonly StoredMemory[] {
  const { sql, values } = narrowed(where)
  const asked = [
    ...(among === null ? [] : [JSON.stringify(among)]),
    atMost(before ?? Infinity),
    ...values,
    atMost(limit),
  ]
  const rows = connection.prepare(UNGROUNDED(among === null ? TOUCHED : NAMED, sql)).all(...asked)
  return storedWith(
    connection,
    rows.flatMap(([key]) => key ?? []),
  )
}
