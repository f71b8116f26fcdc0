import { isBelieved } from '../../domain/distrust.ts'
import { tierAtDoor } from '../../domain/doors.ts'
import type { RecordKind } from '../../domain/ids.ts'
import { labelName } from '../../domain/labels.ts'
import type { Case, Rule, Verdict } from '../case.ts'
import { isTrusted } from '../change-caller.ts'
import { mayRevise } from '../restatement.ts'

/** Content cannot promote itself: the door says which labels may be claimed (PROV-DOOR). */
export const origin: Rule = {
  name: 'origin',
  judge: (c) => {
    const { candidate, policy } = c
    const isProposal = c.restated?.type === 'proposal'
    const overreach = candidate.draft.revises && !isProposal && judgeRevision(c)
    if (overreach) return overreach
    const { caller, origin: from } = candidate.draft
    const name = labelName(from.label)
    if (tierAtDoor(policy.doors[caller.door], caller, name) !== undefined) {
      const { kind } = candidate.main
      const reserved = isTrusted(caller, policy) ? undefined : RESERVED[kind]
      if (reserved === undefined) return judgeAuthority(c)
      const { door } = caller
      const message = `${reserved.message} ${door}.`
      const reasons = [`${kind}_not_allowed`]
      return { type: 'refuse', reasons, facts: { door }, message, hint: reserved.hint }
    }
    return {
      type: 'refuse',
      reasons: ['label_not_allowed'],
      facts: { door: caller.door, label: name, person: caller.person },
      message: `${name} may not be claimed at the door ${caller.door}.`,
      hint: 'Use the label this door allows, or come through a door that can vouch for it.',
    }
  },
}

/** Kinds that only a person or the host may write: assessments of trust, reports of the stack. */
const RESERVED: Partial<Record<RecordKind, { readonly message: string; readonly hint: string }>> = {
  assessment: {
    message: 'Trust is not assessed through the door',
    hint: 'A person or the host process can say how far an actor is trusted.',
  },
  report: {
    message: 'The stack takes no reports of itself through the door',
    hint: 'It writes them itself; a report is no place for what somebody says.',
  },
}

/** Rewording changes no verdict on a memory. */
function judgeRevision({ candidate, desk }: Case): Verdict | undefined {
  const memory = desk.memory(candidate.main.ref)
  if (!memory || isBelieved(memory.disposition, desk.policy)) return undefined
  return {
    type: 'refuse',
    reasons: ['revises_what_is_set_aside'],
    facts: { ref: memory.ref },
    message: `${memory.ref} is ${memory.disposition.toLowerCase()}; rewording does not change that.`,
    hint: 'A person decides in review.',
  }
}

/** New words replace the old ones, so that a revision needs the authority of any other change. */
function judgeAuthority({ candidate, desk, restated }: Case): Verdict | undefined {
  const { draft, main } = candidate
  const memory = draft.revises ? desk.memory(main.ref) : undefined
  if (!memory || restated?.type === 'proposal' || mayRevise(candidate, memory, desk))
    return undefined
  return {
    type: 'refuse',
    reasons: ['revises_without_authority'],
    facts: { ref: memory.ref },
    message: `${memory.ref} is not revised: it was said first-hand, counts for more than you do here, or is somebody else's.`,
    hint: 'Save the new words as a memory of your own, or let a person revise it.',
  }
}
