import type { MemoryState } from '../../domain/state.ts'
import { isLive } from '../../fold/fold-memory.ts'
import { admitAs, type Case, collapseOnto, type Rule } from '../case.ts'
import { isBurst } from '../tally.ts'

/** Unmarked repeats by an actor are quarantined: counted on the repeated memory, without a row. */
export const burst: Rule = {
  name: 'burst',
  judge: (c) => {
    if (c.burst === null || !isBurst(c.burst, c.policy)) return undefined
    const { times } = c.burst
    const facts = { count: times.length, first: times[0] ?? null, last: times.at(-1) ?? null }
    const onto = repeatedMemory(c)
    return onto
      ? collapseOnto(onto, 'Quarantined', ['burst', 'repeated'], facts)
      : admitAs('Quarantined', ['burst'], facts)
  },
}

/**
 * The live memory with the words, or the row quarantined for words that no live memory says. A
 * rewording has other words, so the rule quarantines each rewording as a separate memory.
 */
function repeatedMemory(c: Case): MemoryState | undefined {
  const { candidate, desk, policy, burst: counted, rewordingOf, distrustedBy } = c
  if (rewordingOf !== null) return undefined
  const { sourceId } = candidate.draft.origin
  const live = desk.saying(candidate.main.keys.identity).filter((each) => isLive(each, policy))
  const own = live.find((each) => each.sourceId === sourceId)
  const standing = counted?.quarantined ? desk.memory(counted.quarantined) : undefined
  const aside = standing?.disposition === 'Quarantined' ? standing : undefined
  // A distrusted author puts no item about another author's memory in review.
  return own ?? (distrustedBy.length > 0 ? aside : (live[0] ?? aside))
}
