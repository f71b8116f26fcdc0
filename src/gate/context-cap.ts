import { type Caller, floorSessionsAt, sessionsAt } from '../domain/doors.ts'
import type { Arrival, Draft } from '../domain/draft.ts'
import type { Label } from '../domain/labels.ts'
import type { Floor } from '../domain/state.ts'

/**
 * The sessions whose context bounds a draft; none for what no context bounds. What a model says, and
 * what is passed on for somebody, may come from anything that was served before it; what a person
 * types and what a hook meets with does not.
 */
export const boundSessions = (draft: Draft, { time }: Arrival): readonly string[] =>
  isBound(draft) ? sessionsAt(draft.caller, time) : []

/** The same as floors are kept: more of them may bound it than there are whose words it may repeat. */
export const boundFloors = (draft: Draft, { time }: Arrival): readonly string[] =>
  isBound(draft) ? floorSessionsAt(draft.caller, time) : []

/** Whether it may come from anything that was served. */
export const isBound = ({ origin, caller }: Draft): boolean =>
  mayRepeat({ label: origin.label, caller }, origin.relayed)

/** Who says something beside a memory: why it shall change, or how it is to be found. */
export interface Teller {
  readonly actor: string
  readonly label: Label
  readonly caller: Caller
  /** Set where the caller passes on the words of somebody else. */
  readonly relayed?: boolean
}

/** The same of words that come with a change. */
export const boundTelling = (teller: Teller, { time }: Pick<Arrival, 'time'>): readonly string[] =>
  mayRepeat(teller, teller.relayed === true) ? floorSessionsAt(teller.caller, time) : []

function mayRepeat({ label, caller }: Omit<Teller, 'actor'>, relayed: boolean): boolean {
  const isSaid = label.type === 'External' && !relayed
  return !isSaid && !caller.person && caller.door !== 'hook'
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
