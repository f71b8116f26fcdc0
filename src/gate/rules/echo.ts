import { isFirstHand } from '../../domain/labels.ts'
import { isAsserting, type Rule } from '../case.ts'

/** An echo proves only that we said it. Counting it would let repetition become evidence. */
export const echo: Rule = {
  name: 'echo',
  judge: (c) => {
    const { candidate, desk } = c
    const { label } = candidate.draft.origin
    if (!isAsserting(c) || candidate.draft.revises || isFirstHand(label)) return undefined
    const [match] = desk.saying(candidate.main.keys.identity)
    const declared = label.type === 'RecallReEntry'
    if (match) {
      return {
        type: 'collapse',
        onto: match,
        disposition: 'Corroborated',
        reasons: [declared ? 'echo_declared' : 'echo_exact'],
        facts: { match: match.ref },
      }
    }
    if (!declared) return undefined
    return {
      type: 'admit',
      disposition: 'CommittedInferred',
      reasons: ['echo_of_nothing_known'],
      facts: {},
    }
  },
}
