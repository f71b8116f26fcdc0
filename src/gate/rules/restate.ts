import { isFirstHand } from '../../domain/labels.ts'
import { isLive } from '../../fold/fold-memory.ts'
import { collapseOnto, hasSameAnchor, isAsserting, type Rule } from '../case.ts'
import { namesItsOwnTime } from '../restatement.ts'

/** An author's own first-hand words again are counted; the repeat is neither echo nor evidence. */
export const restate: Rule = {
  name: 'restate',
  judge: (c) => {
    const { candidate, desk, policy } = c
    const { draft, main } = candidate
    if (!isAsserting(c) || draft.revises || !isFirstHand(draft.origin.label)) return undefined
    // A distrusted repeat makes no memory fresher.
    if (c.distrustedBy.length > 0) return undefined
    // "Berlin, 2010 to 2012" after "Berlin, since 2020" is another stay, not a repeat.
    const isDated = namesItsOwnTime(main.body)
    const own = desk
      .saying(main.keys.identity)
      .find(
        (memory) =>
          isLive(memory, policy) &&
          isFirstHand(memory.label) &&
          hasSameAnchor(memory, candidate) &&
          (!isDated || memory.contentHash === main.contentHash),
      )
    return own && collapseOnto(own, 'Corroborated')
  },
}
