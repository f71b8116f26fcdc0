import { tierAtDoor } from '../../domain/doors.ts'
import { labelName } from '../../domain/labels.ts'
import type { Rule } from '../case.ts'

/** Content cannot promote itself: the door says which labels may be claimed (PROV-DOOR). */
export const origin: Rule = {
  name: 'origin',
  judge: ({ candidate, policy }) => {
    const { caller, origin: from } = candidate.draft
    const name = labelName(from.label)
    if (tierAtDoor(policy.doors[caller.door], caller, name) !== undefined) return undefined
    return {
      type: 'refuse',
      reasons: ['label_not_allowed'],
      facts: { door: caller.door, label: name, person: caller.person },
      message: `${name} may not be claimed at the door ${caller.door}.`,
      hint: 'Use the label this door allows, or come through a door that can vouch for it.',
    }
  },
}
