import { isLive } from '../../belief/fold-memory.ts'
import { isFirstHand, labelName } from '../../domain/labels.ts'
import type { MemoryState } from '../../domain/state.ts'
import { isOverCap } from '../../lineage/depth.ts'
import type { Case, Rule, Verdict } from '../case.ts'

/** A claim that disagrees with what its line holds is kept beside it; it displaces nothing. */
export const conflict: Rule = {
  name: 'conflict',
  judge: (c) => {
    const { candidate, desk, policy } = c
    const { line, identity } = candidate.main.keys
    if (line === null) return undefined
    const others = desk
      .onLine(line)
      .filter(
        (memory) =>
          isLive(memory, policy) &&
          memory.identity !== identity &&
          memory.ref !== candidate.main.ref,
      )
    const firstHand = others.filter((memory) => isFirstHand(memory.label))
    return (
      judgeAgainst(c, firstHand) ??
      (isUncertain(c) ? pending('PendingLowConfidence', c) : undefined)
    )
  },
}

const pending = (disposition: 'PendingLowConfidence', c: Case): Verdict => ({
  type: 'admit',
  disposition,
  reasons: ['confidence_under_floor'],
  facts: { floor: c.policy.numbers.claimConfidenceFloor },
})

/** Model output never overturns first-hand claims (FIREWALL-MODEL). */
function judgeAgainst(c: Case, firstHand: readonly MemoryState[]): Verdict | undefined {
  const { origin } = c.candidate.draft
  if (firstHand.length === 0) return undefined
  const facts = { against: firstHand.map(({ ref }) => ref) }
  if (!isFirstHand(origin.label)) {
    const cap = c.policy.numbers.derivationDepthCapForOverturning
    return isOverCap(c.depth.depthFarthest, cap)
      ? { type: 'admit', disposition: 'PendingConflict', reasons: ['depth_over_cap'], facts }
      : {
          type: 'admit',
          disposition: 'CommittedInferred',
          reasons: ['model_against_first_hand'],
          facts,
        }
  }
  const isOthers = (memory: MemoryState) =>
    memory.sourceId !== origin.sourceId || memory.label !== labelName(origin.label)
  if (!firstHand.some(isOthers)) return undefined
  return {
    type: 'admit',
    disposition: 'Contested',
    reasons: ['first_hand_disagreement'],
    facts: { against: firstHand.filter(isOthers).map(({ ref }) => ref) },
  }
}

const isUncertain = ({ confidence, policy }: Case): boolean =>
  confidence.to < policy.numbers.claimConfidenceFloor
