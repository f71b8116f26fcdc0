import { isLive } from '../../belief/fold-memory.ts'
import { isFirstHand } from '../../domain/labels.ts'
import type { MemoryState } from '../../domain/state.ts'
import { type Case, isAsserting, type Rule } from '../case.ts'

/** What takes a place or answers a suggestion must stand for something that comes to mind. */
const matches = ({ candidate, policy }: Case, saying: readonly MemoryState[]) =>
  candidate.draft.consequence === null ? saying : saying.filter((memory) => isLive(memory, policy))

/** An echo proves only that we said it. Counting it would let repetition become evidence. */
export const echo: Rule = {
  name: 'echo',
  judge: (c) => {
    const { candidate, desk } = c
    const { label } = candidate.draft.origin
    if (!isAsserting(c) || candidate.draft.revises || isFirstHand(label)) return undefined
    const [match] = matches(c, desk.saying(candidate.main.keys.identity))
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
