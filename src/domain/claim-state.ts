import type { Disposition } from './dispositions.ts'
import type { Ref } from './ids.ts'
import type { RecordKind } from './kind-names.ts'
import type { ClaimBody, Criticality } from './kinds/claim.ts'
import { endOf, type Span } from './span.ts'
import { type Instant, isInstant } from './time.ts'

/** The latest word of an authorised caller on a claim as a whole. */
export const CLAIM_WORDS = ['retracted', 'denied', 'affirmed', 'unknown'] as const
export type ClaimWord = (typeof CLAIM_WORDS)[number]

/** Verdicts of an authorised caller on a contest. */
export const VERDICTS = ['affirm', 'deny', 'unknown'] as const
export type Verdict = (typeof VERDICTS)[number]

/** Kinds of timeline: a single value at a time, or many. */
export const LINE_KINDS = ['Functional', 'SetValued'] as const
export type LineKind = (typeof LINE_KINDS)[number]

/** Dispositions of a claim that waits for a decision against others. */
export const IN_CONTEST: readonly Disposition[] = [
  'Contested',
  'QueuedForAdjudication',
  'PendingConflict',
]

/** A claim's part in the fold of its timeline, from the body and from later entries. */
export interface ClaimState {
  /** Validity exactly as stated. */
  readonly span: Span
  /** Confidence in the dates, 0 to 1. */
  readonly sure: number
  readonly criticality: Criticality
  /** End stated by a later entry. */
  readonly endedAt: Instant | null
  /** The claim that replaces this claim wherever the replacement holds. */
  readonly overruledBy: Ref | null
  /** Erased claims of the same author that had replaced this claim too. */
  readonly silencedBy?: readonly Ref[]
  readonly word: ClaimWord | null
  /** The quoted memory, once checked by the gate. The claim then contests first-hand claims. */
  readonly quotes?: Ref
}

/** Dispositions by which the gate, or a person in review, withholds a claim from every answer. */
export const KEPT_OUT: readonly Disposition[] = ['Quarantined', 'Rejected', 'Distrusted']

/** True if another claim replaced this claim and no verdict denied this claim since. */
export const hasGivenWay = ({
  disposition,
  claim,
}: {
  readonly disposition: Disposition
  readonly claim: ClaimState | null
}): boolean =>
  disposition === 'Superseded' &&
  claim !== null &&
  claim.overruledBy !== null &&
  claim.word !== 'denied'

/** Moment when the claim is over under any policy's demand on dates; null is never. */
export function isOverFrom({ span, sure, endedAt }: ClaimState): Instant | null {
  const until = sure >= 1 ? span.until : null
  return until === null || (endedAt !== null && endedAt < until) ? endedAt : until
}

/** Moment from which the claim holds under any policy's demand on dates; null is always. */
export const holdsFrom = ({ span, sure }: ClaimState): Instant | null =>
  sure >= 1 ? span.from : null

/**
 * A claim's state at birth; null for every other kind. An audit folds foreign data, so an invalid
 * date bounds nothing instead of failing.
 */
export function claimStateOf(kind: RecordKind, body: object): ClaimState | null {
  if (kind !== 'claim') return null
  const { validTime, criticality } = body as Partial<ClaimBody>
  const { start, end, endGranularity, confidence } = { ...validTime }
  return {
    span: {
      from: isInstant(start) ? start : null,
      until: isInstant(end) ? endOf(end, endGranularity ?? null) : null,
    },
    sure: confidence ?? 1,
    criticality: criticality ?? 'Medium',
    endedAt: null,
    overruledBy: null,
    word: null,
  }
}
