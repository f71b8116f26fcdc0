import { isFirstHand } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import { type Instant, laterOf } from '../domain/time.ts'
import { daysBetween, recorded } from './effective.ts'
import type { LineClaim } from './line-claims.ts'
import { isOverCap } from './lineage/depth.ts'

export const BANDS = ['Fresh', 'AgingUnconfirmed', 'Decayed'] as const
export type Band = (typeof BANDS)[number]

/** How lately it was confirmed by somebody who can: about time, not about truth. */
export interface Currency {
  readonly value: number
  readonly band: Band
  /** When it was last said or confirmed. */
  readonly since: Instant
}

/** Distinct first-hand sources of a value; nobody counts twice, and no chain of inferences at all. */
export function anchorsOf(claims: readonly LineClaim[], policy: Policy): readonly string[] {
  const counted = claims.filter((claim) => isFirstHand(claim.label) && isNear(claim, policy))
  const sources = counted.map(({ sourceId }) => sourceId)
  return sources.length < 2 ? sources : [...new Set(sources)].sort()
}

const isNear = ({ depthFarthest }: LineClaim, { numbers }: Policy): boolean =>
  !isOverCap(depthFarthest, numbers.derivationDepthCapForCurrencyBoost)

interface CurrencyInput {
  readonly policy: Policy
  readonly now: Instant
  /** How many independent first-hand sources they come from. */
  readonly anchors: number
}

/** Of claims that say the same, at least one. */
export function currencyOf(
  claims: readonly LineClaim[],
  { policy, now, anchors }: CurrencyInput,
): Currency {
  const { numbers } = policy
  const since = saidLast(claims, policy)
  const days = daysBetween(since, now)
  const base =
    anchors > 0 ? 1 - numbers.currencyDoubtPerAnchor ** anchors : numbers.currencyOfModels
  return {
    value: recorded(base * (1 - numbers.currencyLostPerDay) ** days),
    band: bandAt(days, policy),
    since,
  }
}

/** What is too far from anything first-hand refreshes nothing: then it is as old as it is (F-14). */
function saidLast(claims: readonly LineClaim[], policy: Policy): Instant {
  const near = claims.filter((claim) => isNear(claim, policy)).map(saidAt)
  if (near.length > 0) return near.reduce(laterOf)
  return claims.map(({ bornAt }) => bornAt).reduce((a, b) => (a <= b ? a : b))
}

/** Saying the same again moves no number (F-09): only evidence makes a claim younger. */
const saidAt = ({ bornAt, verifiedAt }: LineClaim): Instant => laterOf(bornAt, verifiedAt ?? bornAt)

function bandAt(days: number, { numbers }: Policy): Band {
  if (days < numbers.currencyFreshDays) return 'Fresh'
  return days < numbers.currencyAgingDays ? 'AgingUnconfirmed' : 'Decayed'
}
