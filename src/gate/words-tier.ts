import { type Caller, lowerTier, TIER_OF_LABEL, type Tier, tierAtDoor } from '../domain/doors.ts'
import { type Label, labelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import type { Desk } from './desk.ts'
import { distrustsOf } from './origins.ts'

/** The author of words beside a memory: why it shall change, or how it is to be found. */
export interface Teller {
  readonly actor: string
  readonly label: Label
  readonly caller: Caller
}

/**
 * What words that come with a change count for: as much as a memory would that was said by the same
 * one at the same place. They are read with the memory, and it must not lend them its tier.
 */
export function wordsTier({ actor, caller, label }: Teller, desk: Desk): Tier {
  const { door, session } = caller
  if (distrustsOf(desk, { actor, door, session }).length > 0) return 0
  const tier = tierAtDoor(desk.policy.doors[door], caller, labelName(label)) ?? 0
  const assessed = desk.assessmentOf(actor)
  return assessed ? lowerTier(tier, tierForTrust(assessed.weight, desk.policy)) : tier
}

/** The same as an entry tells it: only where it is less than the label may count for. */
export const toldTier = (tier: Tier, label: Label): Tier | null =>
  tier < TIER_OF_LABEL[labelName(label)] ? tier : null

/** An actor who is distrusted speaks at no tier, one who is doubted at the lowest that counts. */
export function tierForTrust(score: number, { numbers }: Policy): Tier {
  if (score < numbers.assessmentDistrustBelow) return 0
  return score < numbers.assessmentDoubtBelow ? 1 : 3
}
