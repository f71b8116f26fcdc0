import type { Floor } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import { byteOrder } from '../../hash/byte-order.ts'
import type { Rows } from './rows.ts'

export const floorKeyOf = ({ session, turn }: Floor): string => JSON.stringify([session, turn])

export const inFloorOrder = (a: Floor, b: Floor): number =>
  byteOrder(a.session, b.session) || byteOrder(a.turn ?? '', b.turn ?? '')

/** Never up; what nobody can still be in is let go. */
export function lowerFloor(rows: Rows, floor: Floor, keepSince: Instant): void {
  for (const [key, { at }] of rows.floors) if (at < keepSince) rows.floors.delete(key)
  const before = rows.floors.get(floorKeyOf(floor))
  if (before && floor.tier > before.tier) return
  const at = before && before.at > floor.at ? before.at : floor.at
  const ref = before?.tier === floor.tier ? before.ref : floor.ref
  rows.floors.set(floorKeyOf(floor), { ...floor, ref, at })
}
