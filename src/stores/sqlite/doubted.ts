import { type DescentOf, DISTRUST_LIMITS, type Doubted } from '../../domain/distrust.ts'
import { DOORS } from '../../domain/doors.ts'
import { LimitError } from '../../domain/errors.ts'
import type { MemoryState } from '../../domain/state.ts'
import { STATE, sharedMarks, stateOf } from '../sql/memory-rows.ts'
import type { SqlValue } from '../sql/values.ts'
import type { Connection } from './connection.ts'

// One index serves both: there are few doors, and an actor is looked for at each of them.
const MEANT: Readonly<Record<DescentOf['type'], string>> = {
  actor: `m.door IN (${DOORS.map((door) => `'${door}'`).join(', ')}) AND m.source_id = ?1`,
  door: 'm.door = ?1',
  session: 'm.session = ?1',
  memory: 'm.ref = ?1',
  memories: 'm.ref IN (SELECT value FROM json_each(?1))',
}

const WALKED = (meant: string): string => `
  WITH RECURSIVE walk (key) AS (
    SELECT m.seq FROM memories m WHERE ${meant} AND m.erased IS NULL
    UNION SELECT e.child FROM walk w CROSS JOIN edges e ON e.parent = w.key
  )
  SELECT key FROM walk
  UNION SELECT e.parent FROM walk w CROSS JOIN edges e ON e.child = w.key
  LIMIT +?2`

function nameIn(what: DescentOf): string {
  if (what.type === 'memory') return what.ref
  return what.type === 'memories' ? JSON.stringify(what.refs) : what.name
}

/** Keys of memories of an origin, all that descends from them, and what these were made from. */
function doubtedKeys(
  connection: Connection,
  what: DescentOf,
  visitMax: number,
): readonly SqlValue[] {
  // Parents that were only ever named have keys below zero, and are no memories.
  return connection
    .prepare(WALKED(MEANT[what.type]))
    .all(nameIn(what), visitMax + 1)
    .flatMap(([key]) => (Number(key) < 0 ? [] : (key ?? [])))
}

const STATES = `
  SELECT ${STATE} FROM memories m WHERE m.seq IN (SELECT value FROM json_each(?)) ORDER BY m.seq`

export const doubtedIn = (
  connection: Connection,
  what: Doubted,
  visitMax: number,
): readonly MemoryState[] | null =>
  connection.atOnce(() => {
    const keys = doubtedKeys(connection, what, visitMax)
    if (keys.length > visitMax) return null
    const marks = sharedMarks()
    const rows = connection.prepare(STATES).all(JSON.stringify(keys))
    return rows.map((row) => stateOf(row, marks))
  })

/** The same for the gate, which takes all or none (BOUND-LOUD). */
export function doubtedFor(
  connection: Connection,
  doubted: readonly DescentOf[],
): readonly SqlValue[] {
  const max = DISTRUST_LIMITS.distrustVisitMax
  return doubted.flatMap((what) => {
    const keys = doubtedKeys(connection, what, max)
    if (keys.length > max) throw new LimitError('distrustVisitMax', max, max + 1)
    return keys
  })
}
