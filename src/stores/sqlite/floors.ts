import type { StackId } from '../../domain/ids.ts'
import type { Floor } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import { floorOf } from '../sql/floor-rows.ts'
import type { Connection } from './connection.ts'

// A door that knows no turns writes ''; no turn is called that.
const LOWER = `
  INSERT INTO floors (session, turn, tier, ref, at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (session, turn) DO UPDATE
  SET tier = excluded.tier, at = max(at, excluded.at),
    ref = CASE WHEN excluded.tier < floors.tier THEN excluded.ref ELSE floors.ref END
  WHERE excluded.tier <= floors.tier`
const LET_GO = 'DELETE FROM floors WHERE at < ?'

export function lowerFloor(
  connection: Connection,
  stack: StackId,
  { floor, keepSince }: { readonly floor: Floor; readonly keepSince: Instant },
): void {
  connection.answersFor(stack)
  connection.prepare(LET_GO).run(keepSince)
  const { session, turn, tier, ref, at } = floor
  connection.prepare(LOWER).run(session, turn ?? '', tier, ref, at)
}

const ALL = 'SELECT f.session, f.turn, f.tier, f.ref, f.at FROM floors f ORDER BY f.session, f.turn'

export const allFloors = (connection: Connection): readonly Floor[] =>
  connection.prepare(ALL).all().map(floorOf)

const FLOORS = `
  SELECT f.session, f.turn, f.tier, f.ref, f.at
  FROM json_each(?) j CROSS JOIN floors f ON f.session = j.value ORDER BY f.session, f.turn`

export function floorsFor(connection: Connection, sessions: readonly string[]): readonly Floor[] {
  if (sessions.length === 0) return []
  return connection.prepare(FLOORS).all(JSON.stringify(sessions)).map(floorOf)
}
