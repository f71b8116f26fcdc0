import type { ClaimBody } from '../../domain/kinds/claim.ts'
import { isFirstHand } from '../../domain/labels.ts'
import { isLive } from '../../fold/fold-memory.ts'
import { type Case, hasSameAnchor, isAsserting, type Rule } from '../case.ts'

/** An author's own first-hand words again are counted; the repeat is neither echo nor evidence. */
export const restate: Rule = {
  name: 'restate',
  judge: (c) => {
    const { candidate, desk, policy } = c
    const { draft, main } = candidate
    if (!isAsserting(c) || draft.revises || !isFirstHand(draft.origin.label)) return undefined
    // A distrusted repeat makes no memory fresher.
    if (c.distrustedBy.length > 0) return undefined
    const isDated = namesItsOwnTime(c)
    const own = desk
      .saying(main.keys.identity)
      .find(
        (memory) =>
          isLive(memory, policy) &&
          isFirstHand(memory.label) &&
          hasSameAnchor(memory, candidate) &&
          (!isDated || memory.contentHash === main.contentHash),
      )
    if (!own) return undefined
    return { type: 'collapse', onto: own, disposition: 'Corroborated', reasons: [], facts: {} }
  },
}

/** "Berlin, 2010 to 2012" after "Berlin, since 2020" is another stay, not a repeat. */
function namesItsOwnTime({ candidate }: Case): boolean {
  if (candidate.main.kind !== 'claim') return false
  const { validTime } = candidate.main.body as ClaimBody // a body of kind claim was parsed as a claim
  return validTime.start !== null || validTime.end !== null
}
