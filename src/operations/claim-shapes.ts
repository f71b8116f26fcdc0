import { z } from 'zod'
import { CLAIM_WORDS, LINE_KINDS } from '../domain/claims.ts'
import * as shape from './shapes.ts'

const valueShape = z.unknown().describe('Any JSON value.')

const claimShape = {
  ref: shape.text,
  value: valueShape,
  label: shape.text,
  actor: shape.text,
  saidAt: shape.text,
  validFrom: shape.maybe,
  validUntil: shape.maybe,
  disposition: shape.disposition,
  tier: shape.tier,
  confidence: shape.number,
  word: z.enum(CLAIM_WORDS).nullable(),
}

const saidShape = shape.named('AnswerClaim', z.strictObject(claimShape))

const currencyShape = shape.named(
  'Currency',
  z.strictObject({
    value: shape.number,
    band: z.enum(['Fresh', 'AgingUnconfirmed', 'Decayed']),
    since: shape.text,
  }),
)

const answerValueShape = shape.named(
  'AnswerValue',
  z.strictObject({
    value: valueShape,
    basis: z.enum(['first-hand', 'model', 'recall']),
    evidence: shape.count,
    currency: currencyShape,
    claims: shape.list(saidShape),
  }),
)

const standingShape = z.enum(['held', 'contested', 'unknown', 'retracted'])

const withheldShape = z.strictObject({ tierMin: shape.tier, count: shape.count, refs: shape.refs })

export const answerShape = shape.named(
  'Answer',
  z.strictObject({
    subject: shape.text,
    predicate: shape.text,
    standing: standingShape,
    isSaid: z.boolean(),
    cardinality: z.enum(LINE_KINDS),
    value: valueShape,
    values: shape.list(answerValueShape),
    beside: shape.list(answerValueShape),
    claims: shape.list(saidShape),
    currency: currencyShape.nullable(),
    evidence: shape.count,
    retracted: shape.refs,
    erased: shape.refs,
    withheld: withheldShape,
    validAt: shape.text,
    asOf: z.int().nullable(),
  }),
)

export const linesPageShape = z.strictObject({
  lines: shape.list(
    shape.named(
      'TimelineSummary',
      z.strictObject({
        subject: shape.text,
        predicate: shape.text,
        standing: standingShape,
        cardinality: z.enum(LINE_KINDS),
        values: shape.list(valueShape),
        valueCount: shape.count,
        withheld: withheldShape,
        saidAt: shape.text,
        entry: z.int(),
      }),
    ),
  ),
  before: z.int().nullable(),
})

/** Standing of a claim in its timeline. */
export const claimStatusShape = z.enum([
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

export const lineStepShape = shape.named(
  'TimelineStep',
  z.strictObject({
    ...claimShape,
    status: claimStatusShape,
    supersededBy: shape.maybe,
    restatedAt: shape.maybe,
    entry: z.int(),
  }),
)
