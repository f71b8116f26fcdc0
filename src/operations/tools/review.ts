import { z } from 'zod'
import { REVIEW_KINDS } from '../../domain/state.ts'
import { fenced, NOTICE } from '../../engine/read/render.ts'
import { defineTool, type ToolAnswer, type ToolContext } from '../tool.ts'
import { limitOf, notice, share, shownFields } from './fields.ts'
import { READS } from './search.ts'
import { rounded, shown } from './shared.ts'

const uncertainInput = z.strictObject({
  threshold: share.default(0.5),
  apply_decay: z.boolean().default(true).describe('Count what time took.'),
  limit: limitOf(20),
})

type UncertainInput = z.output<typeof uncertainInput>

export const uncertainTool = defineTool({
  name: 'meta_uncertain',
  title: 'What is uncertain',
  description: 'Memories of low confidence, those first on which most rests.',
  toolset: 'default',
  effects: READS,
  input: uncertainInput,
  output: z.strictObject({
    notice,
    items: z.array(z.strictObject({ ...shownFields, resting_on_it: z.int() })),
  }),
  run: runUncertain,
})

const reviewInput = z.strictObject({
  kinds: z.array(z.enum(REVIEW_KINDS)).optional(),
  limit: limitOf(20),
})

type ReviewInput = z.output<typeof reviewInput>

export const reviewTool = defineTool({
  name: 'meta_review',
  title: 'What waits for a person',
  description: 'Only a person answers it: tell the user.',
  toolset: 'default',
  effects: READS,
  input: reviewInput,
  output: z.strictObject({
    notice,
    items: z.array(
      z.strictObject({ ...shownFields, waits_as: z.string(), reasons: z.array(z.string()) }),
    ),
  }),
  run: runReview,
})

export async function runUncertain(
  { stack, caller, actor }: ToolContext,
  { threshold, apply_decay, limit }: UncertainInput,
): Promise<ToolAnswer> {
  const found = await stack.history.uncertain({
    threshold,
    applyDecay: apply_decay,
    limit,
    caller,
    actor,
  })
  const items = found.map(({ memory, confidence, restingOnIt }) => ({
    ...shown(memory),
    confidence: rounded(confidence),
    resting_on_it: restingOnIt,
  }))
  const text = items.length === 0 ? `Nothing is below ${threshold}.` : fenced(items)
  return { structured: { notice: NOTICE, items }, text }
}

export async function runReview(
  { stack, caller, actor }: ToolContext,
  { kinds, limit }: ReviewInput,
): Promise<ToolAnswer> {
  const found = await stack.review.list({
    limit,
    ...(kinds === undefined ? {} : { kinds }),
    caller,
    actor,
  })
  const items = found.map(({ memory, kind, reasons }) => ({
    ...shown(memory),
    waits_as: kind,
    reasons,
  }))
  const text =
    items.length === 0
      ? 'Nothing waits for a person.'
      : `${fenced(items.map((item) => ({ ...item, waitsAs: item.waits_as })))}\nOnly a person answers these, in a terminal.`
  return { structured: { notice: NOTICE, items }, text }
}
