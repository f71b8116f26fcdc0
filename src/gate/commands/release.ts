import type { Facts } from '../../domain/entry.ts'
import { isFirstHand } from '../../domain/labels.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Disposition, RuleName } from '../../domain/vocabulary.ts'
import { admitted } from '../../fold/fold-change.ts'
import { isLive } from '../../fold/fold-memory.ts'
import { cardinalityOf, isLineClaim, isSameVoice } from '../../fold/line-claims.ts'
import type { Desk } from '../desk.ts'
import { distrustsOf } from '../evidence.ts'
import { firstHandAgainst } from '../rivals.ts'
import { wordAgainst } from '../rules/conflict.ts'

/** The disposition of a memory after release from quarantine, and the rule that decided. */
export interface Released {
  readonly rule: RuleName
  readonly disposition: Disposition
  readonly facts: Facts
}

/** The decision of the rules after the quarantine; the person has judged the earlier rules. */
export function releasedAs(memory: MemoryState, desk: Desk): Released {
  const twin = desk.saying(memory.identity).find((other) => isTwin(memory, other, desk))
  if (twin) return { rule: 'echo', disposition: 'Superseded', facts: { match: twin.ref } }
  const { sourceId: actor, door, session, label } = memory
  const distrusted = distrustsOf(desk, { actor, door, session })
  if (distrusted.length > 0) {
    return { rule: 'distrust', disposition: 'Distrusted', facts: { distrusted } }
  }
  const contested = contestOf(memory, desk)
  return contested ?? { rule: 'admit', disposition: admitted(label), facts: {} }
}

/** A live memory with equal words: the released memory is its echo, or repeats the same voice. */
const isTwin = (memory: MemoryState, other: MemoryState, { policy }: Desk): boolean =>
  other.ref !== memory.ref &&
  isLive(other, policy) &&
  (!isFirstHand(memory.label) || isSameVoice(memory, other))

/** A later claim of its own voice succeeds a claim anyway; only other voices contest a claim. */
function contestOf(memory: MemoryState, desk: Desk): Released | null {
  if (memory.line === null || !isLineClaim(memory)) return null
  const line = desk.onLine(memory.line).filter(isLineClaim)
  if (cardinalityOf([...line, { ...memory, disposition: 'CommittedCheap' }]) === 'SetValued') {
    return null
  }
  const rivals = firstHandAgainst(memory, line, desk).filter((each) => !isSameVoice(each, memory))
  const verdict = wordAgainst({ own: memory, depth: memory, desk }, rivals)
  // A claim contradicted by a higher tier is admitted at tier 0 without a contest.
  if (!verdict || verdict.disposition === 'CommittedCheap') return null
  return { rule: 'conflict', disposition: verdict.disposition, facts: verdict.facts }
}
