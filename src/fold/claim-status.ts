import type { Ref } from '../domain/ids.ts'
import type { LineFold, Question, Side } from './fold-line.ts'
import { isKeptOut, type LineClaim, spanOf } from './line-claims.ts'

/** Where a claim stands in its line today. */
export const CLAIM_STATUSES = [
  'held',
  'contested',
  'beside', // a model's, beside what was said first-hand
  'replaced', // by the same voice's later word, or by a verdict
  'past',
  'planned',
  'retracted',
  'denied',
  'set_aside',
] as const
export type ClaimStatus = (typeof CLAIM_STATUSES)[number]

export const isClaimStatus = (value: unknown): value is ClaimStatus =>
  CLAIM_STATUSES.some((status) => status === value)

const refsIn = (sides: readonly Side[]): ReadonlySet<Ref> =>
  new Set(sides.flatMap((side) => side.claims.map(({ ref }) => ref)))

/** Tells of each claim of a folded line where it stands. */
export function statusIn(
  fold: LineFold,
  { policy, now }: Pick<Question, 'policy' | 'now'>,
): (claim: LineClaim) => ClaimStatus {
  const [answering, beside] = [refsIn(fold.sides), refsIn(fold.beside)]
  return (claim) => {
    if (answering.has(claim.ref)) return fold.standing === 'contested' ? 'contested' : 'held'
    if (beside.has(claim.ref)) return 'beside'
    if (claim.claim.word === 'retracted' || claim.claim.word === 'denied') return claim.claim.word
    if (isKeptOut(claim) || claim.strength.value === 0) return 'set_aside'
    const { from, until } = spanOf(claim, policy)
    if (until !== null && until <= now) return 'past'
    return from !== null && from > now ? 'planned' : 'replaced'
  }
}
