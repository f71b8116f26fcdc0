import { z } from 'zod'
import { CARDINALITIES } from '../domain/kinds/claim.ts'
import { LIMITS } from '../domain/limits.ts'
import { defineTool } from './tool.ts'
import { limitOf, notice, share, use, withheldStep } from './tool-fields.ts'
import { because, derivedFrom, quote, relayed, source, written } from './write-tools.ts'

const name = z.string().max(LIMITS.shortTextCharsMax)
const date = z.string().optional()
const asOf = date.describe('As known then: a time, or the number of an entry.')

const claim = defineTool({
  name: 'memory_claim',
  title: 'Claim a value',
  description:
    'Say what holds: user, city, Berlin. Stands beside what was said first-hand, never over it.',
  toolset: 'default',
  effects: { readOnly: false, idempotent: false },
  input: z.strictObject({
    subject: name,
    predicate: name,
    value: z.string().describe('Text, or a number, list or object as it is.'),
    json: z.boolean().default(false).describe('The text is JSON.'),
    cardinality: z.enum(CARDINALITIES).default('Functional').describe('SetValued: many at once.'),
    valid_from: date.describe('2024, 2024-05, 2024-05-15 or a time.'),
    valid_until: date.describe('All of it included.'),
    confidence: share.optional(),
    quote,
    source,
    because,
    derived_from: derivedFrom,
    relayed,
  }),
  output: written.extend({ standing: z.string().describe('Of the line now.') }),
})

const READS = { readOnly: true, idempotent: true } as const

const ask = defineTool({
  name: 'memory_ask',
  title: 'Ask what holds',
  description:
    'What claims come to: held, contested, retracted or unknown. Without predicate: all of a subject.',
  toolset: 'default',
  effects: READS,
  input: z.strictObject({
    subject: name,
    predicate: name.optional(),
    valid_at: date.describe('As true then.'),
    as_of: asOf,
    for: use,
  }),
  output: z.strictObject({
    notice,
    answers: z.array(z.record(z.string(), z.unknown())),
    withheld_step: withheldStep,
  }),
})

const history = defineTool({
  name: 'memory_history',
  title: 'A line along time',
  description: 'Every claim of a line and where it stands.',
  toolset: 'default',
  effects: READS,
  input: z.strictObject({
    subject: name,
    predicate: name,
    as_of: asOf,
    limit: limitOf(50),
    for: use,
  }),
  output: z.strictObject({
    notice,
    claims: z.array(z.record(z.string(), z.unknown())),
    left_out: z.int().describe('Earlier ones.'),
  }),
})

export const CLAIM_TOOLS = { claim, ask, history } as const
