import { z } from 'zod'
import type { UnchangedReason } from '../domain/change.ts'
import { VERDICTS } from '../domain/claims.ts'
import { MunimentError, once, RefusedError } from '../domain/errors.ts'
import { parseRef, type Ref } from '../domain/ids.ts'
import { jsonObject } from '../domain/kinds/fields.ts'
import { REVIEW_KINDS } from '../domain/state.ts'
import type { Change } from '../engine/history/why.ts'
import type { Memory } from '../engine/read/memory-view.ts'
import type { ReviewAnswer } from '../engine/review/proposals.ts'
import type { ReviewItem } from '../engine/review/review.ts'
import { type DoorContext, given, memoryAt, readerOf } from './context.ts'
import { limitOf, reason, ref } from './fields.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import { UNCHANGED } from './text/reasons.ts'

const QUEUE = 50

const reviewInput = once(() =>
  z.strictObject({
    ref: ref().optional(),
    answer: z
      .enum(['accept', 'dismiss', 'reject', 'keep', 'forget', ...VERDICTS])
      .optional()
      .describe('What becomes of it; the queue says which answers each takes.'),
    reason: reason(),
    proposal: z
      .int()
      .min(0)
      .optional()
      .describe('The proposal that is meant, or what was folded away, by the number of its entry.'),
    modifications: jsonObject()
      .optional()
      .describe('Fields to change in a suggestion before it is accepted, as JSON.'),
    kinds: z.array(z.enum(REVIEW_KINDS)).optional().describe('Only what waits for this reason.'),
    limit: limitOf(QUEUE),
    after: z.string().optional().describe('Continue after this memory.'),
  }),
)

type ReviewInput = z.output<ReturnType<typeof reviewInput>>

const answersShape = z.enum([
  'accept',
  'dismiss',
  'reject',
  'keep',
  'forget',
  'affirm',
  'deny',
  'unknown',
])

const waitingShape = z.strictObject({
  ref: shape.text,
  kind: z.enum([...REVIEW_KINDS, 'ungrounded']),
  memory: shape.memory,
  since: shape.text,
  against: shape.list(shape.memory),
  answers: shape.list(answersShape),
  rewordings: shape.refs,
  reasons: shape.list(shape.text),
  proposal: shape.change.nullable(),
  proposals: shape.list(shape.change),
  fields: shape.list(
    z.strictObject({ proposal: shape.seq, field: shape.text, from: z.unknown(), to: z.unknown() }),
  ),
})

export const review = defineOperation({
  name: 'review',
  group: 'first',
  summary: 'What waits for a person; given a memory and an answer, a person settles it.',
  right: 'read',
  rises: { field: 'answer', right: 'person' },
  input: reviewInput,
  output: () =>
    z.union([
      shape.list(waitingShape),
      z.strictObject({
        ref: shape.text,
        answer: answersShape,
        became: shape.maybe,
        did: shape.text,
      }),
    ]),
  example: {},
  places: ['ref', 'answer'],
  notes: [
    'Anyone may look; only a person can answer.',
    'suggestion: accept, dismiss · proposal: accept, dismiss · flagged: keep, forget · quarantine: reject, accept',
    'contest: affirm, deny, unknown',
  ],
  examples: [
    'muniment review suggestion:1a2b3c4d accept',
    'muniment review belief:1a2b3c4d forget --reason "nothing supports it"',
  ],
  tool: 'default',
  run: reviewed,
  text: async (result, { waiting = null, page }) => {
    const { resolvedPage, reviewPage } = await import('./text/review.ts')
    return 'answer' in result ? resolvedPage(result, page) : reviewPage(result, { waiting, page })
  },
})

/** An item of the queue; proposals include their changes and authors. */
export interface Waiting extends Omit<ReviewItem, 'proposal' | 'proposals'> {
  readonly proposal: Change | null
  readonly proposals: readonly Change[]
  /** The fields that a proposal would change. */
  readonly fields: readonly FieldChange[]
}

/** A field of a memory, with its current and its proposed value. */
interface FieldChange {
  /** The entry of the proposal. */
  readonly proposal: number
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** The effect of a review answer. */
export interface Resolved {
  readonly ref: Ref
  readonly answer: ReviewAnswer
  /** The memory made from a suggestion, or the superseding belief. */
  readonly became: Ref | null
  /** The effect of the answer, in one sentence. */
  readonly did: string
}

async function reviewed(
  context: DoorContext,
  input: ReviewInput,
): Promise<readonly Waiting[] | Resolved> {
  const { ref, answer, limit, kinds, after } = input
  const { stack } = context
  if (ref === undefined) {
    if (answer !== undefined) throw new MunimentError('invalid_input', 'An answer to what?')
    const asked = { limit, ...given({ kinds, after }), ...readerOf(context) }
    const items = await stack.review.list(asked)
    return Promise.all(items.map((item) => withProposal(context, item)))
  }
  if (answer !== undefined) return resolved(context, { ...input, ref, answer })
  await memoryAt(stack, ref)
  const [item] = await stack.review.list({ only: ref, ...readerOf(context) })
  if (!item) throw notWaiting(parseRef(ref))
  return [await withProposal(context, item)]
}

/** The proposals from their entries; words only where the queue included them. */
async function withProposal({ stack }: DoorContext, item: ReviewItem): Promise<Waiting> {
  if (item.proposals.length === 0) return { ...item, proposal: null, proposals: [], fields: [] }
  const { changes } = await stack.history.why(item.ref)
  const proposals = item.proposals.flatMap(({ seq, text }) => {
    const change = changes.find((each) => each.seq === seq)
    return change ? [{ ...change, text }] : []
  })
  return { ...item, proposal: proposals.at(-1) ?? null, proposals, fields: fieldChanges(item) }
}

function fieldChanges({ memory, proposals }: ReviewItem): readonly FieldChange[] {
  const status = memory.status === null ? {} : { status: memory.status }
  const known: Readonly<Record<string, unknown>> = { ...memory.body, ...status }
  return proposals.flatMap(({ seq, fields }) =>
    Object.entries(fields ?? {}).map(([field, to]) => ({
      proposal: seq,
      field,
      from: known[field] ?? null,
      to: to ?? null,
    })),
  )
}

type Answering = ReviewInput & { readonly ref: string; readonly answer: ReviewAnswer }

async function resolved(context: DoorContext, answering: Answering): Promise<Resolved> {
  const { stack } = context
  const { ref, answer, reason, modifications, proposal } = answering
  const before = await memoryAt(stack, ref)
  if (before.review === null) throw notWaiting(before.ref)
  const said = given({ reason, proposal, modifications: modifications as Fields | undefined }) // a JSON object by its schema
  const settled = await stack.review.settle(ref, answer, { ...said, ...readerOf(context) })
  const { taken, became, did } = settled
  if (!taken || did === null) throw notTaken(before, answer, settled.reason)
  return { ref: before.ref, answer, became, did }
}

/** An outdated proposal is still answered: with a rejection. */
function notTaken(
  { ref, isProtected, review }: Memory,
  answer: ReviewAnswer,
  reason: UnchangedReason | undefined,
): MunimentError {
  const why = reason === undefined ? '' : `: it ${UNCHANGED[reason]}`
  const message = `${ref} did not take the answer “${answer}”${why.replace(/\.$/, '')}.`
  return new RefusedError('refused', message, {
    facts: {
      ref,
      ...(isProtected ? { reason: 'protected' } : {}),
      ...(review === 'proposal' && answer === 'accept' ? { otherwise: 'dismiss' } : {}),
    },
  })
}

type Fields = Readonly<Record<string, unknown>>

const notWaiting = (ref: Ref): MunimentError =>
  new MunimentError('not_found', `${ref} waits for no answer.`, { facts: { ref } })
