import type { Tier } from '../domain/doors.ts'
import type { Draft } from '../domain/draft.ts'
import type { SealedNote } from '../domain/entry.ts'
import type { Case } from './case.ts'

/** What is kept of a draft that was folded away, so that it can come in as it would have then. */
type Kept = Pick<
  Draft,
  | 'kind'
  | 'id'
  | 'body'
  | 'origin'
  | 'confidence'
  | 'derivedFrom'
  | 'sourceEpisodes'
  | 'captures'
  | 'quote'
  | 'caller'
> & {
  /** What it would have had: what its session was served may be forgotten when it comes back. */
  readonly tier: Tier
}

const MEMBERS: readonly (keyof Kept)[] = [
  'body',
  'caller',
  'captures',
  'confidence',
  'derivedFrom',
  'id',
  'kind',
  'origin',
  'quote',
  'sourceEpisodes',
  'tier',
]

export function keptFields({ candidate: { draft }, tier }: Case): Kept {
  const { kind, id, body, origin, confidence, derivedFrom, sourceEpisodes } = draft
  const { captures, quote, caller } = draft
  return {
    ...{ kind, id, body, origin, confidence, derivedFrom, sourceEpisodes },
    ...{ captures, quote, caller, tier },
  }
}

export const isKeptDraft = (
  fields: NonNullable<SealedNote['fields']>,
): fields is Kept & NonNullable<SealedNote['fields']> =>
  Object.keys(fields).sort().join() === MEMBERS.join()

/** The draft again, at most as trusted as it would have been. */
export function draftKept({ tier, ...draft }: Kept): Draft {
  const supplied = { contentHash: null, policyHash: null, trustTier: tier, timestamp: null }
  // It comes in as its words; what a memory with the same words has by now stays as it is.
  return { ...draft, supplied, given: [], revises: null, consequence: null }
}
