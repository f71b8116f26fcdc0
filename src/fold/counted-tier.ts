import type { Tier } from '../domain/doors.ts'
import { type Entry, type GuardMark, guardWith, tierAtBirth } from '../domain/entry.ts'
import { assert } from '../domain/errors.ts'
import { type RecordKind, splitRef } from '../domain/ids.ts'
import { labelName } from '../domain/labels.ts'
import type { MemoryState } from '../domain/state.ts'
import { quotedGuard } from './quote-lift.ts'

/** The most that a capture of a tool counts for while no person vouches for tool and path. */
const UNVOUCHED: Tier = 1

/** Kinds that hooks write: captures, and checkpoints that list captures. */
const OF_HOOKS: ReadonlySet<RecordKind> = new Set(['raw', 'note'])

/** Whether the entry is of a hook, for words of a tool that no person vouches for. */
const isUnvouched = ({ ref, door, label, decision }: Entry): boolean =>
  door === 'hook' &&
  ref !== null &&
  label !== null &&
  labelName(label) === 'ExternalFirstHand' &&
  OF_HOOKS.has(splitRef(ref).kind) &&
  decision.facts.vouched !== true

/**
 * The tier that the words of a birth or a revision count for: the lower of the recorded tier and the
 * tier of today's rules. Earlier versions recorded every capture of a tool at tier 2.
 */
export function countedTier(entry: Entry): Tier {
  assert(entry.tier !== null, 'words are recorded with a tier')
  return isUnvouched(entry) && entry.tier > UNVOUCHED ? UNVOUCHED : entry.tier
}

/**
 * The guard of a birth or a revision, with what a quote lifted. Where words count for less than recorded,
 * the recorded tier decides who may change them.
 */
export function countedGuard(guard: GuardMark | null, entry: Entry): GuardMark | null {
  const { tier } = entry
  const isLess = tier !== null && countedTier(entry) < tier
  return guardWith(guard, { ...quotedGuard(entry), ...(isLess ? { tierAtBirth: tier } : {}) })
}

type Counted = Pick<MemoryState, 'tier' | 'guard'>

export const countsForLess = (state: Counted): boolean => state.tier < tierAtBirth(state)

/** A memory with the tier by which an earlier version judged: entries of that time went by it. */
export const asRecorded = <State extends Counted>(state: State): State =>
  countsForLess(state) ? { ...state, tier: tierAtBirth(state) } : state
