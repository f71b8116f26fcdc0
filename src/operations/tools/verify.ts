import { z } from 'zod'
import { LimitError, MunimentError } from '../../domain/errors.ts'
import { type Ref, splitRef } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import { redacted } from '../../domain/words/secrets.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import { defineTool, type ToolAnswer, type ToolContext } from '../tool.ts'
import { memoryId } from './fields.ts'
import { resolved, resolveOne, rounded } from './shared.ts'

const verifyInput = z.strictObject({
  memory_id: memoryId,
  evidence: z
    .array(z.string().max(1_000))
    .min(1)
    .max(100)
    .describe('Refs; other words are the reason.'),
})

type VerifyInput = z.output<typeof verifyInput>

export const verifyTool = defineTool({
  name: 'meta_verify',
  title: 'Verify a memory',
  description:
    'First-hand evidence from outside its lineage raises its confidence; anything else moves nothing.',
  toolset: 'default',
  effects: { readOnly: false, idempotent: false },
  input: verifyInput,
  output: z.strictObject({
    ref: z.string(),
    verified: z.boolean(),
    reason: z.string(),
    confidence: z.number(),
    verifications: z.int(),
  }),
  run: runVerify,
})

const REASONS: Readonly<Record<string, string>> = {
  attested:
    'written down as said: the evidence is not first-hand, or is of its own lineage, or was counted before',
  not_found: 'there is no such memory',
  set_aside: 'it is set aside and waits for review',
}

export async function runVerify(
  { stack, caller, actor, redact = redacted }: ToolContext,
  { memory_id, evidence }: VerifyInput,
): Promise<ToolAnswer> {
  const ref = await resolveOne(stack, 'memory_id', memory_id)
  const refs = await resolved(stack, 'evidence', evidence.filter(isLikeRef))
  const words = wordsIn(evidence)
  await assertThere(stack, refs)
  const { changed, reason } = await stack.changes.verify(ref, {
    evidence: refs,
    ...(words === null ? {} : { reason: redact(words) }),
    caller,
    actor,
  })
  const memory = await memoryOf(stack, ref)
  const why = changed
    ? 'independent first-hand evidence'
    : (REASONS[reason ?? ''] ?? reason ?? 'unchanged')
  const structured = {
    ref,
    verified: changed,
    reason: why,
    confidence: rounded(memory.confidence),
    verifications: memory.verificationCount,
  }
  const text = `${ref} was ${changed ? 'verified' : 'not verified'}: ${why}. Confidence ${structured.confidence}.`
  return { structured, text }
}

/**
 * Evidence other than refs is the reason, kept whole or refused: half a reason could mean something
 * else.
 */
function wordsIn(evidence: readonly string[]): string | null {
  const broken = evidence.findIndex((each) => !each.isWellFormed())
  if (broken >= 0) {
    throw new MunimentError('invalid_input', 'A text in evidence holds half a character.', {
      issues: [{ path: `evidence.${broken}`, message: 'holds half a character' }],
    })
  }
  const words = evidence.filter((each) => !isLikeRef(each)).join('\n')
  const most = LIMITS.shortTextCharsMax
  if (words.length > most) {
    throw new LimitError('shortTextCharsMax', most, words.length, {
      issues: [{ path: 'evidence', message: `has more than ${most} characters that are no refs` }],
    })
  }
  return words === '' ? null : words
}

/** A text shaped like a ref, even without a memory: a misspelt ref must not pass as words. */
const isLikeRef = (text: string): boolean => /^(?:[a-z_]+:)?[0-9a-f-]{8,36}$/.test(text)

async function assertThere(stack: ToolContext['stack'], refs: readonly Ref[]): Promise<void> {
  for (const [index, each] of refs.entries()) {
    const { kind, id } = splitRef(each)
    if (await stack.getMemory(kind, id)) continue
    throw new MunimentError('not_found', `${each} does not exist in this stack.`, {
      issues: [{ path: `evidence.${index}`, message: 'does not exist' }],
    })
  }
}

async function memoryOf(stack: ToolContext['stack'], ref: Ref): Promise<Memory> {
  const { kind, id } = splitRef(ref)
  const memory = await stack.getMemory(kind, id)
  if (memory) return memory
  throw new MunimentError('not_found', `${ref} does not exist in this stack.`, {
    issues: [{ path: 'memory_id', message: 'does not exist' }],
  })
}

const forgetInput = z.strictObject({
  memory_id: memoryId,
  reason: z.string().max(LIMITS.shortTextCharsMax).optional(),
})

type ForgetInput = z.output<typeof forgetInput>

export const forgetTool = defineTool({
  name: 'memory_forget',
  title: 'Forget a memory',
  description:
    'Put a memory out of mind; nothing is lost. For what the user or a tool said, a person decides.',
  toolset: 'default',
  effects: { readOnly: false, idempotent: true },
  input: forgetInput,
  output: z.strictObject({
    ref: z.string(),
    forgotten: z.boolean(),
    proposed: z.boolean(),
    reason: z.string(),
  }),
  run: runForget,
})

/**
 * Forgets a memory of the model's own. A person's or a tool's memory becomes a proposal in review.
 */
async function runForget(
  { stack, caller, actor, redact = redacted }: ToolContext,
  { memory_id, reason }: ForgetInput,
): Promise<ToolAnswer> {
  const ref = await resolveOne(stack, 'memory_id', memory_id)
  const said = reason === undefined ? {} : { reason: redact(reason) }
  const result = await stack.changes.change(ref, { type: 'forget' }, 'forget', {
    caller,
    actor,
    ...said,
  })
  const proposed = result.reason === 'proposed'
  const structured = {
    ref,
    forgotten: result.changed,
    proposed,
    reason: result.changed ? 'forgotten' : (result.reason ?? 'unchanged'),
  }
  return { structured, text: sentenceOf(structured) }
}

function sentenceOf({
  ref,
  forgotten,
  proposed,
  reason,
}: {
  readonly ref: string
  readonly forgotten: boolean
  readonly proposed: boolean
  readonly reason: string
}): string {
  if (forgotten) return `Forgot ${ref}. A person can bring it back: muniment memory recover ${ref}.`
  if (proposed) {
    return `${ref} was not written by a model, so nothing has changed. A person decides: muniment review ${ref}. Tell the user.`
  }
  return `${ref}: nothing has changed (${reason}).`
}
