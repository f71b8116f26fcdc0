import type { LineKind, Verdict } from './claim-state.ts'
import type { Hash, Ref } from './ids.ts'
import type { EntryPointer } from './outcome.ts'
import type { Instant } from './time.ts'

/** Final statuses of a suggestion. */
export const RESOLVED_STATUSES = [
  'promoted',
  'modified',
  'dismissed',
  'rejected',
  'expired',
] as const
export type ResolvedStatus = (typeof RESOLVED_STATUSES)[number]

/** Changes of a memory after birth. No change touches the words or the certificate. */
export type Change =
  | { readonly type: 'forget' }
  | { readonly type: 'recover' }
  | { readonly type: 'protect'; readonly on: boolean }
  | { readonly type: 'access' }
  | { readonly type: 'weaken'; readonly amount: number }
  /** First sight below the dormant mark, recorded once for memories that rest on this memory. */
  | { readonly type: 'note_dormant' }
  | {
      readonly type: 'describe'
      readonly confidence: number | null
      readonly tags: readonly string[] | null
    }
  | {
      readonly type: 'annotate'
      /** The annotating component. A new annotation replaces the component's earlier annotation. */
      readonly by: string
      readonly fields: Readonly<Record<string, unknown>>
    }
  | { readonly type: 'process'; readonly into: readonly Ref[] }
  | { readonly type: 'verify'; readonly evidence: readonly Ref[] }
  | { readonly type: 'reinforce'; readonly evidence: readonly Ref[] }
  | { readonly type: 'deactivate' }
  | { readonly type: 'resolve'; readonly status: ResolvedStatus; readonly into: Ref | null }
  | { readonly type: 'end'; readonly at: Instant }
  /** Says that a claim never held. `reopen` undoes both `end` and `retract`. */
  | { readonly type: 'retract' }
  | { readonly type: 'reopen' }
  /** Decides a contest for or against this claim, or leaves the answer unknown. */
  | {
      readonly type: 'adjudicate'
      readonly verdict: Verdict
      readonly evidence: readonly Ref[]
      /** The claim's timeline, whose other claims must be loaded. */
      readonly line: Hash
    }
  /** Closes a contest that nobody decided in time, or whose other sides are gone. */
  | { readonly type: 'lapse'; readonly line: Hash }
  /** A person sets the cardinality, at the claim that has defined the cardinality so far. */
  | { readonly type: 'recast'; readonly cardinality: LineKind }
  | { readonly type: 'ask_review' }
  /** The words contradict an older memory. Both stand until a person decides. */
  | { readonly type: 'note_contradiction'; readonly against: Ref }
  /** A person has looked at the flags; the flags are removed. */
  | { readonly type: 'clear' }
  /** The memory is no rewording: its link to the other memory is removed. */
  | { readonly type: 'overrule' }

export type ChangeType = Change['type']

/** Name of an annotating component. Entries store the name, so only a code is allowed. */
const ANNOTATOR = /^[a-z][a-z0-9_-]{0,63}$/
export const isAnnotator = (name: unknown): name is string =>
  typeof name === 'string' && ANNOTATOR.test(name)

/** Reasons why a change did not happen. A closed list, so a door can word each reason. */
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
  'unwitnessed', // a verdict needs first-hand evidence or a person's word
  'proposed', // the caller lacks the authority: a proposal waits for a person
  'proposals_full', // this actor has reached the limit of waiting proposals
  'attested', // recorded as a statement, without changing a number
] as const
export type UnchangedReason = (typeof UNCHANGED_REASONS)[number]

export interface ChangeResult {
  readonly changed: boolean
  readonly reason: UnchangedReason | null
  /** The recording entry, also for a mere proposal or attestation. */
  readonly entry: EntryPointer | null
  readonly flagged: readonly Ref[]
}
