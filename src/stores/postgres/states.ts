import type { MemoryState } from '../../domain/state.ts'
import { sharedMarks, stateOf } from '../sql/memory-rows.ts'
import { each, listed } from './columns.ts'
import type { Connection } from './connection.ts'
import { STATE } from './memory-rows.ts'
import { listOf } from './text.ts'

const STATES = `
  SELECT ${STATE} FROM ${listed('bigint')} ${each('memories', 'seq', 'j.key')} ORDER BY m.seq`

/** The memories of these keys, oldest first, each once. */
export async function statesOf(
  connection: Connection,
  keys: readonly number[],
): Promise<readonly MemoryState[]> {
  if (keys.length === 0) return []
  const rows = await connection.rows(STATES, listOf([...new Set(keys)]))
  const marks = sharedMarks()
  return rows.map((row) => stateOf(row, marks))
}
