import type { Floor } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import { floorOf } from '../sql/floor-rows.ts'
import type { Connection } from './connection.ts'
import { keyOf, listOf } from './text.ts'

// A door that knows no turns writes ''; no turn is called that.
const LOWER = `
  INSERT INTO floors AS f (stack_id, session_key, turn_key, session, turn, tier, ref, at)
  VALUES ($1, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (stack_id, session_key, turn_key) DO UPDATE
  SET tier = excluded.tier, at = greatest(f.at, excluded.at),
    ref = CASE WHEN excluded.tier < f.tier THEN excluded.ref ELSE f.ref END
  WHERE excluded.tier <= f.tier`
const LET_GO = 'DELETE FROM floors WHERE stack_id = $1 AND at < ?'

export async function lowerFloor(
  connection: Connection,
  { floor, keepSince }: { readonly floor: Floor; readonly keepSince: Instant },
): Promise<void> {
  const { session, turn, tier, ref, at } = floor
  const name = turn ?? ''
  await Promise.all([
    connection.rows(LET_GO, keepSince),
    connection.rows(LOWER, keyOf(session), keyOf(name), session, name, tier, ref, at),
  ])
}

const ALL = `
  SELECT f.session, f.turn, f.tier, f.ref, f.at FROM floors f
  WHERE f.stack_id = $1 ORDER BY f.session, f.turn`

export const allFloors = async (connection: Connection): Promise<readonly Floor[]> =>
  (await connection.rows(ALL)).map(floorOf)

const FLOORS = `
  SELECT f.session, f.turn, f.tier, f.ref, f.at FROM floors f
  WHERE f.stack_id = $1 AND f.session_key = ANY (?::uuid[]) ORDER BY f.session, f.turn`

export async function floorsFor(
  connection: Connection,
  sessions: readonly string[],
): Promise<readonly Floor[]> {
  if (sessions.length === 0) return []
  const rows = await connection.rows(FLOORS, listOf(sessions.map(keyOf)))
  return rows.map(floorOf)
}
