import type { Tier } from '../domain/doors.ts'
import { kindPolicyOf, type Policy, type PolicyNumbers } from '../domain/policy.ts'
import type { MemoryState } from '../domain/state.ts'
import { DAY_MS, type Instant, toMs } from '../domain/time.ts'

/** Whole days from one moment to another, so that nothing fades between two glances. */
export const daysBetween = (from: Instant, to: Instant): number =>
  Math.max(0, Math.floor((toMs(to) - toMs(from)) / DAY_MS))

/** Recorded numbers end at the ninth digit, where no two machines' logarithms differ. */
export const recorded = (value: number): number => Math.round(value * 1e9) / 1e9

const clamped = (value: number): number => Math.min(1, Math.max(0, value))

/** What fading goes by. */
type Fading = Pick<MemoryState, 'kind' | 'strength' | 'confidence' | 'isProtected' | 'accesses'> & {
  readonly facets: Pick<MemoryState['facets'], 'subtype'>
}

function periodDays({ kind, facets }: Fading, numbers: PolicyNumbers): number {
  if (kind !== 'goal') return numbers.strengthPeriodDays
  if (facets.subtype === 'aspiration') return numbers.strengthPeriodDaysAspiration
  if (facets.subtype === 'commitment') return numbers.strengthPeriodDaysCommitment
  return numbers.strengthPeriodDays
}

/**
 * How readily a memory comes to mind at a moment: what its last strength entry left, less what
 * time took since, held up a little by how often it was called. Never more than it was.
 */
export function strengthAt(state: Fading, policy: Policy, now: Instant): number {
  const { value, at } = state.strength
  // An epoch marks a stretch of time: a marker that faded would take its memories' place away.
  if (state.isProtected || value === 0 || state.kind === 'epoch') return value
  const { numbers } = policy
  const days = daysBetween(at, now)
  const lost = (numbers.strengthLostPerPeriod * days) / periodDays(state, numbers)
  const lift = numbers.strengthLiftPerLogAccess * Math.log(state.accesses + 1)
  return clamped(Math.min(value, recorded(value - lost + lift)))
}

/** How likely it is still true: fades towards its kind's floor, and never upward to it. */
export function confidenceAt(state: Fading, policy: Policy, now: Instant): number {
  const { value, at } = state.confidence
  const decay = kindPolicyOf(policy, state.kind).decay
  if (decay === null || value <= decay.floor) return value
  const lost = (decay.rate * daysBetween(at, now)) / decay.periodDays
  return Math.max(decay.floor, Math.min(value, recorded(value - lost)))
}

/** How much would be missed: confidence, use and age in one number. */
export function salienceAt(state: MemoryState, policy: Policy, now: Instant): number {
  const { numbers } = policy
  const days = daysBetween(state.accessedAt ?? state.bornAt, now)
  const use = Math.log(state.accesses + 1) + numbers.salienceFloor
  return recorded(
    (confidenceAt(state, policy, now) * use) / (days / periodDays(state, numbers) + 1),
  )
}

/** What it counts for now: what is distrusted counts for nothing, wherever it came from. */
export const tierNow = ({ disposition, tier }: Pick<MemoryState, 'disposition' | 'tier'>): Tier =>
  disposition === 'Distrusted' ? 0 : tier

export type StrengthTier = 'strong' | 'fading' | 'weak' | 'dormant' | 'forgotten'

/** The seed's table, by the policy's numbers. */
export function strengthTier(value: number, { numbers }: Policy): StrengthTier {
  if (value <= 0) return 'forgotten'
  if (value < numbers.strengthDormantBelow) return 'dormant'
  if (value < numbers.strengthWeakBelow) return 'weak'
  return value < numbers.strengthFadingBelow ? 'fading' : 'strong'
}
