import { isFirstHand } from '../../domain/labels.ts'
import type { MemoryState } from '../../domain/state.ts'
import { isLive } from '../../fold/fold-memory.ts'
import {
  admitAs,
  type Case,
  collapseOnto,
  isAdopted,
  isAsserting,
  namesAnotherWindow,
  type Rule,
} from '../case.ts'

/** A draft that supersedes or answers a memory collapses only onto live memories. */
const matches = ({ candidate, policy }: Case, saying: readonly MemoryState[]) =>
  candidate.draft.consequence === null ? saying : saying.filter((memory) => isLive(memory, policy))

/** An echo proves only that the agent spoke. Counting echoes would turn repetition into evidence. */
export const echo: Rule = {
  name: 'echo',
  judge: (c) => {
    const { candidate, desk } = c
    const { label } = candidate.draft.origin
    if (!isAsserting(c) || candidate.draft.revises || isFirstHand(label)) return undefined
    if (isAdopted(candidate)) return undefined
    // The fields are new, and no memory can take them: the draft becomes a memory of its own.
    if (c.restated?.type === 'apart') return undefined
    const known = matches(c, desk.saying(candidate.main.keys.identity))
    const inWindow = known.find((memory) => !namesAnotherWindow(candidate.main, memory))
    const declared = label.type === 'RecallReEntry'
    // A declared recall collapses onto the known claim, whatever its dates; an undeclared recall
    // with other dates is another claim.
    const match = inWindow ?? (declared ? known[0] : undefined)
    if (match) {
      const dates = inWindow === undefined ? ['dates_not_kept'] : []
      const reasons = [declared ? 'echo_declared' : 'echo_exact', ...dates]
      return collapseOnto(match, 'Corroborated', reasons, { match: match.ref })
    }
    if (c.distrustedBy.length > 0 || !declared) return undefined
    return admitAs('CommittedInferred', ['echo_of_nothing_known'])
  },
}
