import { sessionsAt } from '../domain/doors.ts'
import type { Arrival, Draft } from '../domain/draft.ts'
import type { Floor } from '../domain/state.ts'

/**
 * The sessions whose context bounds a draft; none for what no context bounds. What a model says, and
 * what is passed on for somebody, may come from anything that was served before it; what a person
 * types and what a hook meets with does not.
 */
export function boundSessions({ origin, caller }: Draft, { time }: Arrival): readonly string[] {
  const isSaid = origin.label.type === 'External' && !origin.relayed
  if (isSaid || caller.person || caller.door === 'hook') return []
  return sessionsAt(caller, time)
}

/** The lowest floor of the draft's turn, or of its whole session where it names no turn. */
export function floorOf(turn: string | null, floors: readonly Floor[]): Floor | undefined {
  return floors
    .filter((floor) => turn === null || floor.turn === null || floor.turn === turn)
    .reduce<Floor | undefined>(
      (low, each) => (low && low.tier <= each.tier ? low : each),
      undefined,
    )
}
