import { z } from 'zod'
import { CLAIM_WORDS, LINE_KINDS } from '../../domain/claims.ts'
import { count, disposition, list, maybe, number, refs, shape, text, tier } from './parts.ts'

const value = z.unknown().describe('Any JSON value.')

const claim = {
  ref: text,
  value,
  label: text,
  actor: text,
  saidAt: text,
  validFrom: maybe,
  validUntil: maybe,
  disposition,
  tier,
  confidence: number,
  word: z.enum(CLAIM_WORDS).nullable(),
}

const said = shape('AnswerClaim', z.strictObject(claim))

const currency = shape(
  'Currency',
  z.strictObject({
    value: number,
    band: z.enum(['Fresh', 'AgingUnconfirmed', 'Decayed']),
    since: text,
  }),
)

const answerValue = shape(
  'AnswerValue',
  z.strictObject({
    value,
    basis: z.enum(['first-hand', 'model', 'recall']),
    evidence: count,
    currency,
    claims: list(said),
  }),
)

const standing = z.enum(['held', 'contested', 'unknown', 'retracted'])
const withheld = z.strictObject({ tierMin: tier, count, refs })

export const answer = shape(
  'Answer',
  z.strictObject({
    subject: text,
    predicate: text,
    standing,
    isSaid: z.boolean(),
    cardinality: z.enum(LINE_KINDS),
    value,
    values: list(answerValue),
    beside: list(answerValue),
    claims: list(said),
    currency: currency.nullable(),
    evidence: count,
    retracted: refs,
    erased: refs,
    withheld,
    validAt: text,
    asOf: z.int().nullable(),
  }),
)

export const linesPage = z.strictObject({
  lines: list(
    shape(
      'LineAtGlance',
      z.strictObject({
        subject: text,
        predicate: text,
        standing,
        cardinality: z.enum(LINE_KINDS),
        values: list(value),
        valueCount: count,
        withheld,
        saidAt: text,
        entry: z.int(),
      }),
    ),
  ),
  before: z.int().nullable(),
})

/** Where a claim stands on its line. */
export const claimStatus = z.enum([
  'held',
  'contested',
  'beside',
  'planned',
  'replaced',
  'past',
  'retracted',
  'denied',
  'set_aside',
])

export const lineStep = shape(
  'LineStep',
  z.strictObject({
    ...claim,
    status: claimStatus,
    supersededBy: maybe,
    restatedAt: maybe,
    entry: z.int(),
  }),
)
