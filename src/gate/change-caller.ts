import { type Caller, tierAtDoor } from '../domain/doors.ts'
import { ScopeError } from '../domain/errors.ts'
import { isFirstHand, labelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import type { ChangeCommand } from '../domain/write.ts'
import { type ChangeCaller, isPersonsWord } from '../fold/authority.ts'
import type { Desk } from './desk.ts'
import type { Candidate } from './stamp.ts'
import { type Teller, wordsTier } from './words.ts'

export function changeCallerOf(act: Teller, desk: Desk): ChangeCaller {
  const { actor, caller } = act
  const label = labelName(act.label)
  const tier = wordsTier(act, desk)
  return {
    label,
    tier,
    actsForOthers: isHost(caller) || (caller.person && isPersonsWord(label, tier)),
    keepsHouse: isHost(caller) && caller.door === 'lib' && isFirstHand(label),
    owns: ({ sourceId }) => sourceId === actor,
  }
}

/** The author of a draft, as the caller of the changes that the draft makes to other memories. */
export const draftCallerOf = (candidate: Candidate, desk: Desk): ChangeCaller =>
  changeCallerOf(authorOf(candidate), desk)

/** The author of a draft, as the author of entries about other memories. */
export function authorOf({ draft: { origin, caller }, arrival }: Candidate) {
  return { actor: origin.sourceId, caller, label: origin.label, arrival }
}

/** The host, or a person whom the door lets speak as a person. */
export const isTrusted = (caller: Caller, policy: Policy): boolean =>
  caller.door === 'lib' ||
  (caller.person && tierAtDoor(policy.doors[caller.door], caller, 'UserAsserted') !== undefined)

/** Null where the door allows the label. */
export function whyNotClaimed(
  { label, caller }: Pick<ChangeCommand, 'label' | 'caller'>,
  policy: Policy,
): ScopeError | null {
  const name = labelName(label)
  if (tierAtDoor(policy.doors[caller.door], caller, name) !== undefined) return null
  return new ScopeError(`${name} may not be claimed at the door ${caller.door}.`)
}

/** A decision that only a person or the host takes; a model may at most propose the decision. */
interface Decided {
  readonly mayPropose: boolean
  /** The refusal of a model that asks for more. */
  readonly forModels: string
  readonly verb: string
}

/** The reason against a decision; null where the caller may decide or propose. */
export function whyNotDecided(
  act: Pick<ChangeCommand, 'label' | 'caller'>,
  policy: Policy,
  { mayPropose, forModels, verb }: Decided,
): ScopeError | null {
  const unclaimed = whyNotClaimed(act, policy)
  if (unclaimed !== null) return unclaimed
  if (!isFirstHand(act.label)) return mayPropose ? null : new ScopeError(forModels)
  if (isTrusted(act.caller, policy)) return null
  const hint = 'A person or the host process can.'
  return new ScopeError(`The door ${act.caller.door} may not ${verb}.`, { hint })
}

/** An import handed over by a person or the host names no door that the import came through. */
const isHost = ({ door, grant, through }: Caller): boolean =>
  (door === 'lib' && grant === null) || (door === 'import' && through === undefined)
