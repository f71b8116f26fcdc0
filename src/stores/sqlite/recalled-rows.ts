import type { RecordKind } from '../../domain/kind-names.ts'
import type { RecalledRow } from '../../ports/recalled.ts'
import type { Narrowed } from '../../ports/store.ts'
import { recalledOf } from '../sql/recalled-rows.ts'
import type { Connection } from './connection.ts'
import { atMost } from './listing.ts'
import { narrowed } from './narrow.ts'

// The terms out of the table behind the index: looked up through it they cost twice as much. Read with
// the conditions, since to find a memory again costs more than to hand over what is looked at of it.
const ROWS = (conditions: string): string => `
  SELECT m.seq AS seq, m.revision_seq AS revision, m.label AS label, m.source_id AS source,
    m.session AS session, m.born_at AS born, m.strength AS strength, w.c0 AS terms
  FROM json_each(?) j CROSS JOIN memories m ON m.seq = j.value
    CROSS JOIN words_content w ON w.id = m.seq
  WHERE m.kind IN (SELECT value FROM json_each(?))${conditions} LIMIT +?`

/** Those of the keys that are kept, in their order, and no more than `limit` of them. */
export type RowsOf = (keys: readonly number[], limit: number) => readonly RecalledRow[]

interface Kept {
  readonly kinds: readonly RecordKind[]
  readonly where: Narrowed | undefined
}

export function rowsBy(connection: Connection, { kinds, where }: Kept): RowsOf {
  const { sql, values } = narrowed(where)
  const rows = connection.prepare(ROWS(sql))
  const asked = [JSON.stringify(kinds), ...values]
  return (keys, limit) =>
    rows.all(JSON.stringify(keys), ...asked, atMost(limit)).map((row) => recalledOf(row))
}
