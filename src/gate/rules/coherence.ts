import type { ClaimBody } from '../../domain/kinds/claim.ts'
import { admitAs, type Rule } from '../case.ts'

/** A claim whose own dates contradict each other is quarantined for a person to review. */
export const coherence: Rule = {
  name: 'coherence',
  judge: ({ candidate, time }) => {
    if (candidate.main.kind !== 'claim') return undefined
    const { validTime, holds } = candidate.main.body as ClaimBody // parsed as a claim
    const { start, end } = validTime
    const reasons: string[] = []
    if (start !== null && end !== null && start > end) reasons.push('start_after_end')
    if (holds === 'already' && start !== null && start > time) reasons.push('true_before_it_began')
    return reasons.length === 0 ? undefined : admitAs('Quarantined', reasons)
  },
}
