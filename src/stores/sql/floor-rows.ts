import type { Floor } from '../../domain/state.ts'
import type { Untrusted } from './rows.ts'
import type { SqlRow } from './values.ts'

export const floorOf = ([session, turn, tier, ref, at]: SqlRow): Floor =>
  ({ session, turn: turn === '' ? null : turn, tier, ref, at }) as Untrusted<Floor>
