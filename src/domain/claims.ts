import { z } from 'zod'
import { MunimentError, once } from './errors.ts'
import type { RecordKind, Ref } from './ids.ts'
import { readBy } from './issue-words.ts'
import { CARDINALITIES, type ClaimBody, CRITICALITIES, type Criticality } from './kinds/claim.ts'
import { jsonValue, shortText, unitInterval } from './kinds/fields.ts'
import { type Label, tryParseLabel } from './labels.ts'
import { endOf, type Instant, isInstant, type Span, tryParseDate } from './time.ts'
import type { Disposition } from './vocabulary.ts'

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

const date = once(() =>
  z
    .string()
    .refine(
      (text) => tryParseDate(text) !== undefined,
      'expected 2024, 2024-05, 2024-05-15 or a time',
    ),
)

const confidence = once(() =>
  z.strictObject({
    valueConfidence: unitInterval(),
    validTimeConfidence: unitInterval().default(1),
  }),
)

/** The seed's request, in camel case; labels exactly as on the wire. */
const request = once(() =>
  z.strictObject({
    /** The stack that the claim is meant for; a claim for another stack is refused. */
    agentId: z.string().optional(),
    subject: shortText(),
    predicate: shortText(),
    value: jsonValue().refine((value) => value !== undefined && value !== null, 'needs a value'),
    provenance: z.custom<Label>((value) => tryParseLabel(value) !== undefined, 'not a label'),
    cardinality: z.enum(CARDINALITIES).default('Functional'),
    confidence: confidence().prefault({ valueConfidence: 1 }),
    criticality: z.enum(CRITICALITIES).default('Medium'),
    derivedFrom: z.array(z.string()).default([]),
    /** Dates of any granularity; an end includes the whole named period. */
    validTime: z
      .strictObject({
        start: date().nullable().default(null),
        end: date().nullable().default(null),
      })
      .prefault({}),
    /** States that the value is true already, or only planned. */
    holds: z.enum(['already', 'planned']).nullable().default(null),
    /** The document with the claim, which helps to tell anchors apart. */
    externalAnchorRef: z.string().nullable().default(null),
    /** For a model's claim: a whole sentence of a first-hand source that states the claim. */
    quote: z.string().nullable().default(null),
  }),
)

/** A claim with its label. */
export type ClaimRequest = z.input<ReturnType<typeof request>>
export type ParsedClaim = z.output<ReturnType<typeof request>>

/** Reads a request whole, or names every wrong field. */
export function parseClaimRequest(input: unknown): ParsedClaim {
  const { data, issues } = readBy(request(), input, {
    unknown: 'is not a field of a claim',
    root: 'claim',
  })
  if (data !== null) return data
  const said = issues.map(({ path, message }) => `${path}: ${message}`).join('; ')
  throw new MunimentError('invalid_input', `Not a claim, nothing was stored. ${said}.`, { issues })
}
