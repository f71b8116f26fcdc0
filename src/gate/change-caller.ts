import type { Caller } from '../domain/doors.ts'
import { isFirstHand, labelName } from '../domain/labels.ts'
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
export function draftCallerOf({ draft }: Candidate, desk: Desk): ChangeCaller {
  const { origin, caller } = draft
  return changeCallerOf({ actor: origin.sourceId, caller, label: origin.label }, desk)
}

/** An import handed over by a person or the host names no door that the import came through. */
const isHost = ({ door, grant, through }: Caller): boolean =>
  (door === 'lib' && grant === null) || (door === 'import' && through === undefined)
