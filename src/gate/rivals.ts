import type { Hash } from '../domain/ids.ts'
import { isFirstHand } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import type { MemoryState } from '../domain/state.ts'
import {
  type Contender,
  cardinalityOf,
  isAnchored,
  isLineClaim,
  type LineClaim,
  rivalsOf,
} from '../fold/line-claims.ts'

/** Looks up claims of a timeline: the desk of a group, or the state an audit has read so far. */
export interface Lines {
  readonly policy: Policy
  /** The oldest first. */
  onLine(line: Hash): readonly MemoryState[]
}

/** Claims of the timeline that contradict the memory; a set-valued timeline has none. */
export function rivalsAt(memory: MemoryState, lines: Lines): readonly LineClaim[] {
  if (!isLineClaim(memory) || memory.line === null) return []
  const line = lines.onLine(memory.line).filter(isLineClaim)
  return cardinalityOf(line) === 'SetValued' ? [] : firstHandAgainst(memory, line, lines)
}

/** First-hand claims; against a first-hand claim, also claims anchored by a quote. */
export const firstHandAgainst = (
  of: Contender,
  line: readonly LineClaim[],
  { policy }: Pick<Lines, 'policy'>,
): readonly LineClaim[] =>
  rivalsOf(of, line, policy).filter(
    (other) => isFirstHand(other.label) || (isFirstHand(of.label) && isAnchored(other)),
  )
