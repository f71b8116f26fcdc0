import { boundTurnOf, lowerTier, TIER_OF_LABEL, type Tier, tierAtDoor } from '../domain/doors.ts'
import type { Arrival } from '../domain/draft.ts'
import { type Label, labelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import { boundTelling, floorOf, type Teller } from './context-cap.ts'
import type { Desk } from './desk.ts'
import { distrustsOf } from './origins.ts'

/**
 * What words that come with a change count for: as much as a memory would that was said by the same
 * one at the same place. They are read with the memory, and it must not lend them its tier.
 */
export function wordsTier(teller: Teller, { time }: Pick<Arrival, 'time'>, desk: Desk): Tier {
  const { actor, caller, label } = teller
  const { door, session } = caller
  if (distrustsOf(desk, { actor, door, session }).length > 0) return 0
  let tier = tierAtDoor(desk.policy.doors[door], caller, labelName(label)) ?? 0
  const assessed = desk.assessmentOf(actor)
  if (assessed) tier = lowerTier(tier, tierForTrust(assessed.weight, desk.policy))
  const floors = boundTelling(teller, { time }).flatMap((each) => desk.floorsOf(each))
  return lowerTier(tier, floorOf(boundTurnOf(caller), floors)?.tier ?? tier)
}

/** The same as an entry tells it: only where it is less than the label may count for. */
export const toldTier = (tier: Tier, label: Label): Tier | null =>
  tier < TIER_OF_LABEL[labelName(label)] ? tier : null

/** An actor who is distrusted speaks at no tier, one who is doubted at the lowest that counts. */
export function tierForTrust(score: number, { numbers }: Policy): Tier {
  if (score < numbers.assessmentDistrustBelow) return 0
  return score < numbers.assessmentDoubtBelow ? 1 : 3
}
