import type { LineKind, Verdict } from './claim-state.ts'
import type { Hash, Ref } from './ids.ts'
import type { EntryPointer } from './outcome.ts'
import type { Instant } from './time.ts'

/** How a suggestion may end. */
export const RESOLVED_STATUSES = [
  'promoted',
  'modified',
  'dismissed',
  'rejected',
  'expired',
] as const
export type ResolvedStatus = (typeof RESOLVED_STATUSES)[number]

/** What may befall a memory after its birth. None of it touches its words or its certificate. */
export type Change =
  | { readonly type: 'forget' }
  | { readonly type: 'recover' }
  | { readonly type: 'protect'; readonly on: boolean }
  | { readonly type: 'access' }
  | { readonly type: 'weaken'; readonly amount: number }
  /** Seen below the dormant mark for the first time: said once, for what rests on it. */
  | { readonly type: 'note_dormant' }
  | {
      readonly type: 'describe'
      readonly confidence: number | null
      readonly tags: readonly string[] | null
    }
  | {
      readonly type: 'annotate'
      /** Which component noted it; it replaces what the same one noted before. */
      readonly by: string
      readonly fields: Readonly<Record<string, unknown>>
    }
  | { readonly type: 'process'; readonly into: readonly Ref[] }
  | { readonly type: 'verify'; readonly evidence: readonly Ref[] }
  | { readonly type: 'reinforce'; readonly evidence: readonly Ref[] }
  | { readonly type: 'deactivate' }
  | { readonly type: 'resolve'; readonly status: ResolvedStatus; readonly into: Ref | null }
  /** A claim holds no longer from a moment on, … */
  | { readonly type: 'end'; readonly at: Instant }
  /** … or never held; and either is undone. */
  | { readonly type: 'retract' }
  | { readonly type: 'reopen' }
  /** A contest is decided: for this claim, against it, or not at all. */
  | {
      readonly type: 'adjudicate'
      readonly verdict: Verdict
      readonly evidence: readonly Ref[]
      /** The line it speaks about, whose other claims have to be at hand. */
      readonly line: Hash
    }
  /** A contest that nobody decided in time, or whose other sides are gone, waits no longer. */
  | { readonly type: 'lapse'; readonly line: Hash }
  /** A person says what kind of line it is, at the claim that told it so far. */
  | { readonly type: 'recast'; readonly cardinality: LineKind }
  /** Somebody thinks that a person should look at it. */
  | { readonly type: 'ask_review' }
  /** Its words and those of an older memory cannot both be so: both stand until a person decides. */
  | { readonly type: 'note_contradiction'; readonly against: Ref }
  /** A person has looked at what was flagged; the flags are taken down. */
  | { readonly type: 'clear' }
  /** The memory is no rewording of another: its link is removed. */
  | { readonly type: 'overrule' }

export type ChangeType = Change['type']

/** What a component that notes something may be called: a code, since it stands in the entry. */
const ANNOTATOR = /^[a-z][a-z0-9_-]{0,63}$/
export const isAnnotator = (name: unknown): name is string =>
  typeof name === 'string' && ANNOTATOR.test(name)

/** Why a change did not happen. Closed, so that a door can say each in words. */
export const UNCHANGED_REASONS = [
  'not_found',
  'erased',
  'already_so',
  'protected',
  'not_forgotten',
  'not_pending',
  'wrong_kind',
  'set_aside',
  'not_contested',
  'unwitnessed', // a verdict rests on first-hand evidence, or on a person's word
  'proposed', // the caller lacks the authority: a proposal waits for a person
  'proposals_full', // as many proposals of this actor wait as may
  'attested', // recorded as said, without moving a number
] as const
export type UnchangedReason = (typeof UNCHANGED_REASONS)[number]

export interface ChangeResult {
  readonly changed: boolean
  readonly reason: UnchangedReason | null
  /** The entry that records it, also where it only records a proposal or an attestation. */
  readonly entry: EntryPointer | null
  /** Children that were flagged for review because of it. */
  readonly flagged: readonly Ref[]
}
