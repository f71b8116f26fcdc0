import { z } from 'zod'
import type { Answer, AnswerClaim, AnswerValue } from '../../engine/claims/answer.ts'
import { fenced, NOTICE, type Recalled } from '../../engine/read/render.ts'
import { given, pastOf } from '../context.ts'
import { confirmClaim, PERSONAL_HEADING, withheldSentence } from '../text/withheld.ts'
import { defineTool, type ToolAnswer, type ToolContext } from '../tool.ts'
import { date, name } from './claim.ts'
import { limitOf, notice, use, withheldStep } from './fields.ts'
import { rounded } from './shared.ts'

const asOf = date.describe('As known then: a time, or the number of an entry.')

const READS = { readOnly: true, idempotent: true } as const

const askInput = z.strictObject({
  subject: name,
  predicate: name.optional(),
  valid_at: date.describe('As true then.'),
  as_of: asOf,
  for: use,
})

type AskInput = z.output<typeof askInput>

export const askTool = defineTool({
  name: 'memory_ask',
  title: 'Ask what holds',
  description:
    'What claims come to: held, contested, retracted or unknown. Without predicate: all of a subject.',
  toolset: 'default',
  effects: READS,
  input: askInput,
  output: z.strictObject({
    notice,
    answers: z.array(z.record(z.string(), z.unknown())),
    withheld_step: withheldStep,
  }),
  run: runAsk,
})

const historyInput = z.strictObject({
  subject: name,
  predicate: name,
  as_of: asOf,
  limit: limitOf(50),
  for: use,
})

type HistoryInput = z.output<typeof historyInput>

export const historyTool = defineTool({
  name: 'memory_history',
  title: 'A line along time',
  description: 'Every claim of a line and where it stands.',
  toolset: 'default',
  effects: READS,
  input: historyInput,
  output: z.strictObject({
    notice,
    claims: z.array(z.record(z.string(), z.unknown())),
    left_out: z.int().describe('Earlier ones.'),
  }),
  run: runHistory,
})

/** Each stack answers for itself: the personal stack never settles a project's contest. */
export async function runAsk(context: ToolContext, input: AskInput): Promise<ToolAnswer> {
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
  { subject, predicate, valid_at, as_of, for: use }: AskInput,
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

async function runHistory(
  { stack, caller, actor }: ToolContext,
  { subject, predicate, as_of, limit, ...use }: HistoryInput,
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
