import { type Caller, lowerTier, TIER_OF_LABEL, type Tier, tierAtDoor } from '../domain/doors.ts'
import { type Label, labelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import type { Desk } from './desk.ts'
import { distrustsOf } from './origins.ts'

/** The author of an annotation on a memory, such as a reason or tags. */
export interface Teller {
  readonly actor: string
  readonly label: Label
  readonly caller: Caller
}

/**
 * The tier of an annotation: the tier that a memory from this actor at this door would have.
 * Readers see the annotation with the memory, and the memory must not lend its tier.
 */
export function wordsTier({ actor, caller, label }: Teller, desk: Desk): Tier {
  const { door, session } = caller
  if (distrustsOf(desk, { actor, door, session }).length > 0) return 0
  const tier = tierAtDoor(desk.policy.doors[door], caller, labelName(label)) ?? 0
  const assessed = desk.assessmentOf(actor)
  return assessed ? lowerTier(tier, tierForTrust(assessed.weight, desk.policy)) : tier
}

/** An entry records the tier only where the tier is below the maximum of the label. */
export const toldTier = (tier: Tier, label: Label): Tier | null =>
  tier < TIER_OF_LABEL[labelName(label)] ? tier : null

/** Strong distrust gives tier 0; weak trust gives the lowest tier that counts. */
export function tierForTrust(score: number, { numbers }: Policy): Tier {
  if (score < numbers.assessmentDistrustBelow) return 0
  return score < numbers.assessmentDoubtBelow ? 1 : 3
}
