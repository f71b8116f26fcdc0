import { claimStateOf } from '../../domain/claim-state.ts'
import { isFirstHand } from '../../domain/labels.ts'
import type { MemoryState } from '../../domain/state.ts'
import { isLive } from '../../fold/fold-memory.ts'
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
    // Its fields are news, and no memory can take them: it is kept as a memory of its own.
    if (c.restated?.type === 'apart') return undefined
    const known = matches(c, desk.saying(candidate.main.keys.identity))
    const inWindow = known.find((memory) => !namesAnotherWindow(candidate.main, memory))
    const declared = label.type === 'RecallReEntry'
    // Whoever declares a recall gets the known claim; whoever does not says another claim.
    const match = inWindow ?? (declared ? known[0] : undefined)
    if (match) {
      return {
        type: 'collapse',
        onto: match,
        disposition: 'Corroborated',
        reasons: [
          declared ? 'echo_declared' : 'echo_exact',
          ...(inWindow === undefined ? ['dates_not_kept'] : []),
        ],
        facts: { match: match.ref },
      }
    }
    if (c.distrustedBy.length > 0 || !declared) return undefined
    return {
      type: 'admit',
      disposition: 'CommittedInferred',
      reasons: ['echo_of_nothing_known'],
      facts: {},
    }
  },
}

/** A claim with dates of its own that are not those of the known claim; dates that are not given are no others. */
function namesAnotherWindow(
  { kind, body }: Case['candidate']['main'],
  memory: MemoryState,
): boolean {
  const said = claimStateOf(kind, body)?.span
  const known = memory.claim?.span
  if (!said || !known || (said.from === null && said.until === null)) return false
  return said.from !== known.from || said.until !== known.until
}
