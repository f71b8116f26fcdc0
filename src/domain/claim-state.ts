import type { Disposition } from './dispositions.ts'
import type { Ref } from './ids.ts'
import type { RecordKind } from './kind-names.ts'
import type { ClaimBody, Criticality } from './kinds/claim.ts'
import { endOf, type Span } from './span.ts'
import { type Instant, isInstant } from './time.ts'

/** What was last said of a claim as a whole, by somebody who may. */
export const CLAIM_WORDS = ['retracted', 'denied', 'affirmed', 'unknown'] as const
export type ClaimWord = (typeof CLAIM_WORDS)[number]

/** How somebody who may decides a contest. */
export const VERDICTS = ['affirm', 'deny', 'unknown'] as const
export type Verdict = (typeof VERDICTS)[number]

/** What a line can be: one value at a time, or many. */
export const LINE_KINDS = ['Functional', 'SetValued'] as const
export type LineKind = (typeof LINE_KINDS)[number]

/** Words under which a claim waits for somebody to decide between it and others. */
export const IN_CONTEST: readonly Disposition[] = [
  'Contested',
  'QueuedForAdjudication',
  'PendingConflict',
]

/** What a line is folded by: taken from the body of a claim, and from what was said of it since. */
export interface ClaimState {
  /** When it is said to hold, as exactly as it was said. */
  readonly span: Span
  /** How sure the dates are, 0 to 1. */
  readonly sure: number
  readonly criticality: Criticality
  /** From when on it holds no longer, as somebody said later. */
  readonly endedAt: Instant | null
  /** The claim that took its place, wherever that one holds. */
  readonly overruledBy: Ref | null
  /** Erased claims of its own voice that spoke over it as well. */
  readonly silencedBy?: readonly Ref[]
  readonly word: ClaimWord | null
  /** What it quotes, where the gate found the words: it contests what was said first-hand. */
  readonly quotes?: Ref
}

/** Words by which the gate, or a person in review, keeps a claim out of every answer. */
export const KEPT_OUT: readonly Disposition[] = ['Quarantined', 'Rejected', 'Distrusted']

/** It gave way to another claim, and nobody has said anything else of it since. */
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

/** When it is over under any policy, however sure that one wants dates to be; null is never. */
export function isOverFrom({ span, sure, endedAt }: ClaimState): Instant | null {
  const until = sure >= 1 ? span.until : null
  return until === null || (endedAt !== null && endedAt < until) ? endedAt : until
}

/** From when on it holds under any policy; null is always. */
export const holdsFrom = ({ span, sure }: ClaimState): Instant | null =>
  sure >= 1 ? span.from : null

/**
 * A claim as it is born; null for every other kind. An audit folds what others may have written, so
 * that what is no date here bounds nothing instead of stopping it.
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
