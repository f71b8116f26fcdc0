import { MunimentError, RefusedError } from '../../domain/errors.ts'
import { parseRef, type Ref, splitRef } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { InputOf } from '../../protocol/operations.ts'
import type { Change } from '../../stack/explain.ts'
import type { Memory } from '../../stack/memory-view.ts'
import type { ReviewAnswer, ReviewItem } from '../../stack/reviewing.ts'
import type { Stack } from '../../stack/stack.ts'
import { type DoorContext, given, readerOf } from './context.ts'
import { memoryAt } from './reading.ts'

/** An item of the queue; of a proposal also what was wished for, and by whom. */
export interface Waiting extends Omit<ReviewItem, 'wish'> {
  readonly wish: Change | null
}

/** What an answer came to. */
export interface Resolved {
  readonly ref: Ref
  readonly answer: ReviewAnswer
  /** What a suggestion became, or the belief that took the place of another. */
  readonly became: Ref | null
}

export async function reviewed(
  context: DoorContext,
  input: InputOf<'review'>,
): Promise<readonly Waiting[] | Resolved> {
  const { ref, answer, limit, kinds, after } = input
  const { stack } = context
  if (ref === undefined) {
    if (answer !== undefined) throw new MunimentError('invalid_input', 'An answer to what?')
    const asked = { limit, ...given({ kinds, after }), ...readerOf(context) }
    const items = await stack.getReview(asked)
    return Promise.all(items.map((item) => withWish(stack, item)))
  }
  if (answer !== undefined) return resolved(context, { ...input, ref, answer })
  const item = await itemOf(stack, parseRef(ref))
  await stack.noteServed('review', readerOf(context), [item.memory])
  return [await withWish(stack, item)]
}

async function withWish(stack: Stack, item: ReviewItem): Promise<Waiting> {
  if (item.kind !== 'proposal') return { ...item, wish: null }
  const { changes } = await stack.why(item.ref)
  return { ...item, wish: changes.findLast(({ op }) => op === 'memory.proposed') ?? null }
}

async function itemOf(stack: Stack, ref: Ref): Promise<ReviewItem> {
  await memoryAt(stack, ref)
  for (let after: string | undefined; ; ) {
    const page = await stack.getReview({ limit: LIMITS.pageItemsMax, ...given({ after }) })
    const found = page.find((item) => item.ref === ref)
    if (found) return found
    after = page.at(-1)?.ref
    if (after === undefined || page.length < LIMITS.pageItemsMax) throw notWaiting(ref)
  }
}

type Answering = InputOf<'review'> & { readonly ref: string; readonly answer: ReviewAnswer }

async function resolved(context: DoorContext, answering: Answering): Promise<Resolved> {
  const { stack, caller, actor } = context
  const { ref, answer, reason, modifications } = answering
  const before = await memoryAt(stack, ref)
  if (before.review === null) throw notWaiting(before.ref)
  const words = answer === 'accept' ? await wishedBelief(stack, before) : null
  if (words !== null) return adopted(context, before.ref, { words, reason })
  const said = given({ reason, modifications: modifications as Fields | undefined }) // a JSON object by its schema
  const taken = await stack.resolveReview(ref, answer, { ...said, caller, actor })
  if (!taken) {
    throw new RefusedError('refused', `${before.ref} did not take the answer “${answer}”.`, {
      facts: { ref, ...(before.isProtected ? { reason: 'protected' } : {}) },
    })
  }
  const { kind, id } = splitRef(before.ref)
  const became = kind === 'suggestion' ? (await stack.getSuggestion(id))?.promotedTo : null
  return { ref: before.ref, answer, became: became ?? null }
}

/** The words a model wished for in the place of a belief, when that was its last wish. */
async function wishedBelief(stack: Stack, { ref, review }: Memory): Promise<string | null> {
  if (review !== 'proposal') return null
  const { changes } = await stack.why(ref)
  const wish = changes.findLast(({ op }) => op === 'memory.proposed')
  return wish?.decision.facts.change === 'supersede' ? wish.text : null
}

/** Who accepts another's words says them: the new belief is that person's. */
async function adopted(
  { stack, caller, actor }: DoorContext,
  ref: Ref,
  { words, reason }: { readonly words: string; readonly reason: string | undefined },
): Promise<Resolved> {
  const said = { caller, actor, ...given({ because: reason }) }
  const belief = await stack.supersede(ref, words, said)
  return { ref, answer: 'accept', became: belief.ref }
}

type Fields = Readonly<Record<string, unknown>>

const notWaiting = (ref: Ref): MunimentError =>
  new MunimentError('not_found', `${ref} waits for no answer.`, { facts: { ref } })
