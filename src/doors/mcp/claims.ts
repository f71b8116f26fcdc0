import { MunimentError } from '../../domain/errors.ts'
import type { JsonValue } from '../../domain/kinds/json-value.ts'
import { label } from '../../domain/labels.ts'
import type { Accepted } from '../../domain/write.ts'
import type { Answer, AnswerClaim, AnswerValue } from '../../engine/claims/answer.ts'
import { windowOf } from '../../engine/claims/claim.ts'
import { fenced, NOTICE, type Recalled } from '../../engine/read/render.ts'
import type { CLAIM_TOOLS } from '../../operations/claim-tools.ts'
import { given, pastOf } from '../../operations/context.ts'
import { counting, withoutSecrets } from '../../operations/redaction.ts'
import { reasonWords } from '../../operations/text/reasons.ts'
import { PERSONAL_HEADING } from '../personal-words.ts'
import { confirmClaim, withheldSentence } from '../withheld-words.ts'
import { promptOfTurn } from './citable-prompt.ts'
import type { ToolAnswer, ToolContext } from './context.ts'
import { resolved } from './refs.ts'
import { rounded } from './show.ts'
import { sentenceOf, structuredOf } from './write.ts'

type InputOf<T extends keyof typeof CLAIM_TOOLS> =
  (typeof CLAIM_TOOLS)[T]['input']['_zod']['output']

/**
 * Writes a model's claim, whatever its author says; the answer tells the claim's standing among
 * others.
 */
export async function claim(context: ToolContext, input: InputOf<'claim'>): Promise<ToolAnswer> {
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
  if (isIn(beside)) return ' What was said first-hand stands; yours is kept beside it.'
  if (disposition === 'Quarantined') {
    return ` Yours is set aside and answers nothing until a person has looked at it: ${reasons.map(reasonWords).join(', ')}.`
  }
  return ' Yours is kept, and is no part of what holds now: its dates, or what was said of it, keep it out.'
}

function givenValue({ value, json }: InputOf<'claim'>) {
  if (!json) return value
  try {
    return JSON.parse(value)
  } catch {
    throw new MunimentError('invalid_input', 'memory_claim: not valid: value.', {
      issues: [{ path: 'value', message: 'is no JSON; leave json out for text' }],
    })
  }
}

/** Each stack answers for itself: the personal stack never settles a project's contest. */
export async function ask(context: ToolContext, input: InputOf<'ask'>): Promise<ToolAnswer> {
  const { personal = null } = context
  const own = await answersOf(context, input)
  const theirs = personal === null ? null : await answersOf({ ...context, stack: personal }, input)
  const known = theirs?.found.filter(({ standing }) => standing !== 'unknown') ?? []
  if (personal === null || theirs === null || known.length === 0) {
    const answers = own.found.map(shownAnswer)
    return { structured: { notice: NOTICE, answers, ...own.step }, text: own.text }
  }
  const answers = [
    ...own.found.map(shownAnswer),
    ...known.map((answer) => ({ ...shownAnswer(answer), stack: personal.stackId })),
  ]
  const text = `${own.text}\n${PERSONAL_HEADING}\n${theirs.text}`
  return { structured: { notice: NOTICE, answers, ...own.step }, text }
}

async function answersOf(
  { stack, caller, actor }: ToolContext,
  { subject, predicate, valid_at, as_of, for: use }: InputOf<'ask'>,
): Promise<{
  readonly found: readonly Answer[]
  readonly text: string
  /** Tells a person how to confirm withheld claims; empty where the use reads everything. */
  readonly step: { readonly withheld_step?: string }
}> {
  const when = {
    ...(valid_at === undefined ? {} : { validAt: valid_at }),
    ...pastOf(as_of),
    ...(use === undefined ? {} : { for: use }),
    caller,
    actor,
  }
  const found =
    predicate === undefined
      ? await stack.claims.subject(subject, when)
      : [await stack.claims.ask({ subject, predicate, ...when })]
  const recalled = found.flatMap(recalledIn)
  const count = found.reduce((sum, { withheld }) => sum + withheld.count, 0)
  const step = confirmClaim(subject, predicate ?? '…')
  const tierMin = found[0]?.withheld.tierMin ?? 0
  const told = predicate === undefined ? linesOf(found.length) : endOf(found[0], count > 0)
  const end =
    count === 0 ? told : `${told} ${withheldSentence({ count, tierMin }, step)}`.trimStart()
  return {
    found,
    text: recalled.length === 0 ? end : `${fenced(recalled)}\n${end}`,
    step: count === 0 ? {} : { withheld_step: step },
  }
}

const recalledIn = (answer: Answer): readonly Recalled[] => [
  ...answer.values.flatMap((value) => recalledOf(answer, value, answer.standing)),
  ...answer.beside.flatMap((value) => recalledOf(answer, value, 'beside')),
]

const recalledOf = (
  answer: Answer,
  { claims, evidence, currency }: AnswerValue,
  status: string,
): readonly Recalled[] =>
  claims.map((each) => ({
    ...recalledClaim(answer, each),
    also: [status, ...wordOf(each), ...datesOf(each), `evidence ${evidence}`, currency.band],
  }))

const recalledClaim = (
  { subject, predicate }: { readonly subject: string; readonly predicate: string },
  { ref, value, label: name, tier, confidence, actor, saidAt }: AnswerClaim,
): Recalled => ({
  ref,
  text: `${subject} ${predicate} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  label: name,
  tier,
  confidence,
  by: { actor, saidAt },
})

/** The verdict on a claim, if any. */
const wordOf = ({ word }: AnswerClaim): readonly string[] =>
  word === null ? [] : [word === 'unknown' ? 'left open by a verdict' : word]

/** Dates as exactly as given. */
const datesOf = ({ validFrom, validUntil }: AnswerClaim): readonly string[] => [
  ...(validFrom === null ? [] : [`from ${validFrom}`]),
  ...(validUntil === null ? [] : [`until ${validUntil}`]),
]

const linesOf = (count: number): string =>
  count === 0 ? 'Nothing was ever said of that.' : count === 1 ? '1 line.' : `${count} lines.`

/** A verdict does not make a model's word first-hand, so the text mentions the verdict. */
function heldBy({ evidence, claims }: Answer): string {
  const sources =
    evidence === 0
      ? 'Held on a model’s word alone: no first-hand source'
      : `Held by ${evidence} independent first-hand source${evidence === 1 ? '' : 's'}`
  return claims.some(({ word }) => word === 'affirmed')
    ? `${sources}; affirmed by a verdict.`
    : `${sources}.`
}

function endOf(answer: Answer | undefined, isWithheld: boolean): string {
  switch (answer?.standing) {
    case 'held':
      return heldBy(answer)
    case 'contested':
      return 'Contested: tell the user all sides. Only a person decides.'
    case 'retracted':
      return 'It was taken back or denied, and nothing took its place.'
    default:
      if (isWithheld) return 'Nothing that may be used for this is known.'
      return answer?.isSaid
        ? 'Unknown: nothing that was said of it holds then. memory_history shows all of it.'
        : 'Nothing was ever said of that.'
  }
}

const shownAnswer = (answer: Answer) => {
  const { values, beside, claims: _, currency: __, ...rest } = answer
  return { ...rest, values: values.map(shownValue), beside: beside.map(shownValue) }
}

const shownValue = ({ value, basis, evidence, currency, claims }: AnswerValue) => ({
  value,
  basis,
  evidence,
  currency: { ...currency, value: rounded(currency.value) },
  claims: claims.map(shownClaim),
})

const shownClaim = (each: AnswerClaim) => ({
  ref: each.ref,
  value: each.value,
  label: each.label,
  actor: each.actor,
  tier: each.tier,
  confidence: rounded(each.confidence),
  said_at: each.saidAt,
  valid_from: each.validFrom,
  valid_until: each.validUntil,
  ...(each.word === null ? {} : { word: each.word }),
})

export async function history(
  { stack, caller, actor }: ToolContext,
  { subject, predicate, as_of, limit, ...use }: InputOf<'history'>,
): Promise<ToolAnswer> {
  const all = await stack.claims.timeline({
    ...{ subject, predicate, caller, actor },
    ...pastOf(as_of),
    ...given(use),
  })
  const steps = all.slice(-limit)
  const claims = steps.map((step) => ({
    ...shownClaim(step),
    status: step.status,
    superseded_by: step.supersededBy,
    entry: step.entry,
  }))
  const recalled = steps.map((step) => ({
    ...recalledClaim({ subject, predicate }, step),
    also: [step.status, ...datesOf(step)],
  }))
  const leftOut = all.length - steps.length
  const text = recalled.length === 0 ? 'Nothing was ever said of that.' : fenced(recalled)
  return {
    structured: { notice: NOTICE, claims, left_out: leftOut },
    text: leftOut === 0 ? text : `${text}\n${leftOut} earlier left out.`,
  }
}
