import { type DescentOf, DISTRUST_LIMITS, type Doubted } from '../../domain/distrust.ts'
import { DOORS } from '../../domain/doors.ts'
import { LimitError } from '../../domain/errors.ts'
import type { MemoryState } from '../../domain/state.ts'
import { every } from './columns.ts'
import type { Connection } from './connection.ts'
import type { PgValue } from './driver.ts'
import { keysIn } from './listing.ts'
import { statesOf } from './states.ts'
import { keyOf, listOf } from './text.ts'

// One index serves both: there are few doors, and an actor is looked for at each of them.
const MEANT: Readonly<Record<DescentOf['type'], string>> = {
  actor: `m.door IN (${DOORS.map((door) => `'${door}'`).join(', ')}) AND m.source_key = ?`,
  door: 'm.door = ?',
  session: 'm.session_key = ?',
  memory: 'm.ref = ?',
  memories: 'm.ref = ANY (?::text[])',
}

const WALKED = (meant: string): string => `
  WITH RECURSIVE walk (key) AS (
    SELECT m.seq FROM memories m WHERE m.stack_id = $1 AND ${meant} AND m.erased IS NULL
    UNION SELECT e.child FROM walk w ${every('edges', 'parent', 'w.key', 'e')}
  )
  SELECT key FROM walk
  UNION SELECT e.parent FROM walk w ${every('edges', 'child', 'w.key', 'e')}
  LIMIT ?`

function nameIn(what: DescentOf): PgValue {
  switch (what.type) {
    case 'actor':
    case 'session':
      return keyOf(what.name)
    case 'door':
      return what.name
    case 'memory':
      return what.ref
    case 'memories':
      return listOf(what.refs)
  }
}

/** Keys of memories of an origin, all that descends from them, and what these were made from. */
async function doubtedKeys(
  connection: Connection,
  what: DescentOf,
  visitMax: number,
): Promise<readonly number[]> {
  const rows = await connection.rows(WALKED(MEANT[what.type]), nameIn(what), visitMax + 1)
  // Parents that were only ever named have keys below zero, and are no memories.
  return keysIn(rows).filter((key) => key >= 0)
}

export async function doubtedIn(
  connection: Connection,
  what: Doubted,
  visitMax: number,
): Promise<readonly MemoryState[] | null> {
  const keys = await doubtedKeys(connection, what, visitMax)
  return keys.length > visitMax ? null : statesOf(connection, keys)
}

/** The same for the gate, which takes all or none (BOUND-LOUD). */
export async function doubtedFor(
  connection: Connection,
  doubted: readonly DescentOf[],
): Promise<readonly number[]> {
  const max = DISTRUST_LIMITS.distrustVisitMax
  const found = await Promise.all(doubted.map((what) => doubtedKeys(connection, what, max)))
  if (found.some((keys) => keys.length > max))
    throw new LimitError('distrustVisitMax', max, max + 1)
  return found.flat()
}
