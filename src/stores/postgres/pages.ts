import type { SealedRow } from '../../domain/entry.ts'
import type { EntryRow, LedgerRun } from '../../ports/store.ts'
import { joinedAsHashed } from '../memory/run.ts'
import { ENTRY_COLUMNS, entryOf, SEALED_COLUMNS, sealedOf } from '../sql/rows.ts'
import { selected } from './columns.ts'
import type { Connection } from './connection.ts'

/** A range of positions, both ends included. */
export interface Range {
  readonly from: number
  readonly to: number
}

export const ENTRY = selected(ENTRY_COLUMNS, 'l')

const ENTRIES = `
  SELECT ${ENTRY} FROM provenance_log l
  WHERE l.stack_id = $1 AND l.seq BETWEEN ? AND ? ORDER BY l.seq`

const SEALED = `
  SELECT ${selected(SEALED_COLUMNS, 's')} FROM sealed s
  WHERE s.stack_id = $1 AND s.seq BETWEEN ? AND ? ORDER BY s.seq`

export const entriesIn = async (
  connection: Connection,
  { from, to }: Range,
): Promise<readonly EntryRow[]> => (await connection.rows(ENTRIES, from, to)).map(entryOf)

export const sealedIn = async (
  connection: Connection,
  { from, to }: Range,
): Promise<readonly SealedRow[]> =>
  (await connection.rows(SEALED, from, to)).map((row) => sealedOf(row, 0))

/** Joined as they are hashed; what is not there is left out. */
export async function runIn(connection: Connection, range: Range): Promise<LedgerRun> {
  const [entries, sealed] = await Promise.all([
    entriesIn(connection, range),
    sealedIn(connection, range),
  ])
  return joinedAsHashed(entries, sealed)
}
