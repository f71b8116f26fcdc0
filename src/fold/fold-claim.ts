import type { ClaimState, Verdict } from '../domain/claims.ts'
import type { ChangeOp, Facts } from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import { isFirstHand, type LabelName } from '../domain/labels.ts'
import type { MemoryState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import type { Disposition } from '../domain/vocabulary.ts'
import { risenBy } from './risen-tier.ts'

export type ClaimOp = Extract<ChangeOp, `claim.${string}`>

/** What one entry about a claim makes of it; the facts were checked before they are folded. */
export function foldClaim(before: MemoryState, op: ClaimOp, facts: Facts): MemoryState {
  const { claim } = before
  // What its words were is gone; how far a verdict raised it stands in the entry.
  if (claim === null) {
    return op === 'claim.adjudicated' ? risenBy(before, facts) : before
  }
  switch (op) {
    case 'claim.ended':
      return { ...before, claim: { ...claim, endedAt: facts.at as Instant } }
    case 'claim.retracted':
      return { ...before, disposition: 'Invalidated', claim: { ...claim, word: 'retracted' } }
    case 'claim.reopened':
      return {
        ...before,
        disposition: 'Reinstated',
        claim: { ...heard(claim), endedAt: null, overruledBy: null, word: null },
      }
    case 'claim.superseded':
      return { ...before, disposition: 'Superseded', claim: overruled(claim, facts.by as Ref) }
    case 'claim.lapsed':
      return {
        ...before,
        disposition: facts.why === 'expired' ? 'Contested' : admitted(before.label),
      }
    case 'claim.recast':
      return { ...before, facets: { ...before.facets, subtype: String(facts.to) } }
    case 'claim.adjudicated':
      return risenBy(judged(before, facts.verdict as Verdict), facts)
  }
}

/** What took its place before took it too: a claim is silent wherever any of them speaks. */
const overruled = (claim: ClaimState, by: Ref): ClaimState =>
  claim.overruledBy === null
    ? { ...claim, overruledBy: by }
    : { ...claim, silencedBy: [...(claim.silencedBy ?? []), by] }

/** Somebody who may has said that it counts again. */
const heard = ({ silencedBy: _, ...claim }: ClaimState): ClaimState => claim

/** What the last rule says of what nothing stands against. */
export const admitted = (label: LabelName): Disposition =>
  isFirstHand(label) ? 'CommittedCheap' : 'CommittedInferred'

function judged(before: MemoryState, verdict: Verdict): MemoryState {
  const { claim } = before
  if (claim === null) return before
  switch (verdict) {
    case 'affirm':
      return {
        ...before,
        disposition: admitted(before.label),
        claim: { ...heard(claim), word: 'affirmed', overruledBy: null },
      }
    case 'deny':
      return { ...before, disposition: 'Superseded', claim: { ...claim, word: 'denied' } }
    case 'unknown':
      // Nobody knows whether it was rightly overruled: both sides are shown again.
      return {
        ...before,
        disposition: 'Contested',
        claim: { ...heard(claim), word: 'unknown', overruledBy: null },
      }
  }
}
