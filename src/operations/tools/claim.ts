import { z } from 'zod'
import { MunimentError } from '../../domain/errors.ts'
import { CARDINALITIES } from '../../domain/kinds/claim.ts'
import type { JsonValue } from '../../domain/kinds/json-value.ts'
import { label } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Accepted } from '../../domain/write.ts'
import type { Answer, AnswerValue } from '../../engine/claims/answer.ts'
import { windowOf } from '../../engine/claims/claim.ts'
import { counting, withoutSecrets } from '../redaction.ts'
import { reasonWords } from '../text/reasons.ts'
import { defineTool, type ToolAnswer, type ToolContext } from '../tool.ts'
import { share } from './fields.ts'
import { promptOfTurn, resolved } from './shared.ts'
import {
  because,
  derivedFrom,
  quote,
  relayed,
  sentenceOf,
  source,
  structuredOf,
  written,
} from './write.ts'

export const name = z.string().max(LIMITS.shortTextCharsMax)

export const date = z.string().optional()

const claimInput = z.strictObject({
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
})

type ClaimInput = z.output<typeof claimInput>

export const claimTool = defineTool({
  name: 'memory_claim',
  title: 'Claim a value',
  description: 'Say what holds: user, city, Berlin. Never replaces what was said first-hand.',
  toolset: 'default',
  effects: { readOnly: false, idempotent: false },
  input: claimInput,
  output: written.extend({ standing: z.string().describe('Of the line now.') }),
  run: runClaim,
})

/**
 * Writes a model's claim, whatever its author says; the answer tells the claim's standing among
 * others.
 */
async function runClaim(context: ToolContext, input: ClaimInput): Promise<ToolAnswer> {
  const { stack, actor } = context
  const { cardinality, confidence, relayed } = input
  const { redact, noted } = counting(context.redact)
  const clean = (text: string): string => redact(text)
  const [subject, predicate] = [clean(input.subject), clean(input.predicate)]
  const [source, quote, because] = [input.source, input.quote, input.because].map(
    (text) => text && clean(text),
  )
  const derivedFrom = await resolved(stack, 'derived_from', input.derived_from ?? [])
  const entity = await context.entity()
  const { value } = withoutSecrets({ value: givenValue(input) }, redact)
  const caller = noted(context.caller)
  const body = {
    subject,
    predicate,
    cardinality,
    value: value as JsonValue, // JSON as given, or text
    validTime: windowOf(input.valid_from, input.valid_until, ['valid_from', 'valid_until']),
  }
  const result = await entity.write('claim', body, {
    label: label.modelDerived(),
    derivedFrom,
    actor,
    caller,
    ...(confidence === undefined ? {} : { confidence }),
    ...(source === undefined ? {} : { source }),
    ...(quote === undefined ? {} : { quote }),
    ...(because === undefined ? {} : { because }),
    ...(relayed === undefined ? {} : { relayed }),
  })
  const answer = await stack.claims.ask({ subject, predicate, caller, actor })
  const besides = placeOf(result, answer)
  const unquoted = input.quote === undefined ? await quoteHint(context, result) : ''
  return {
    structured: { ...structuredOf(result), standing: answer.standing },
    text: `${sentenceOf(result)} The line is ${answer.standing}.${besides}${unquoted}`,
  }
}

/**
 * A quote of the user's own sentence makes a claim count for `act`; the hint explains the quote.
 */
async function quoteHint(context: ToolContext, { tier }: Accepted): Promise<string> {
  if (tier !== 1) return ''
  const prompt = await promptOfTurn(context)
  const cited = prompt === null ? 'the ref of their words' : prompt
  return ` Tier 1 is withheld from act. Where the user stated a claim, give their whole sentence as quote, and ${cited} in derived_from.`
}

/** The place of a new claim outside the current answer. */
function placeOf({ ref, disposition, reasons }: Accepted, { values, beside }: Answer): string {
  const isIn = (sides: readonly AnswerValue[]): boolean =>
    sides.some(({ claims }) => claims.some((each) => each.ref === ref))
  if (isIn(values) || disposition === 'Corroborated') return ''
  if (isIn(beside)) return ' What was said first-hand stands; yours is kept too.'
  if (disposition === 'Quarantined') {
    return ` Yours is set aside and answers nothing until a person has looked at it: ${reasons.map(reasonWords).join(', ')}.`
  }
  return ' Yours is kept, and is no part of what holds now: its dates, or what was said of it, keep it out.'
}

function givenValue({ value, json }: ClaimInput) {
  if (!json) return value
  try {
    return JSON.parse(value)
  } catch {
    throw new MunimentError('invalid_input', 'memory_claim: not valid: value.', {
      issues: [{ path: 'value', message: 'is no JSON; leave json out for text' }],
    })
  }
}
