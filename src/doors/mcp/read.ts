import { isTier } from '../../domain/doors.ts'
import { toRef } from '../../domain/ids.ts'
import { labelName, tryParseLabel } from '../../domain/labels.ts'
import type { READ_TOOLS } from '../../protocol/tools.ts'
import { fenced, NOTICE } from '../fence.ts'
import { itemsIn } from '../loaded.ts'
import type { ToolAnswer, ToolContext } from './context.ts'
import { rounded, type Shown, shown } from './show.ts'

type InputOf<T extends keyof typeof READ_TOOLS> = (typeof READ_TOOLS)[T]['input']['_zod']['output']

type Found = Awaited<ReturnType<ToolContext['stack']['search']>>[number]

export async function search(
  { stack, caller, actor }: ToolContext,
  { query, limit, kinds, context, min_confidence }: InputOf<'search'>,
): Promise<ToolAnswer> {
  const found = await stack.search(query, {
    limit,
    ...(kinds === undefined ? {} : { recordTypes: kinds }),
    ...(context === undefined ? {} : { context }),
    ...(min_confidence === undefined ? {} : { minConfidence: min_confidence }),
    caller,
    actor,
  })
  const results = found.map((each) => ({ ...resultOf(each), score: rounded(each.score) }))
  const text = results.length === 0 ? 'Nothing is remembered about that.' : fenced(results)
  return { structured: { notice: NOTICE, results }, text }
}

/** A result carries its papers; one that a component made without them is shown as the least. */
function resultOf({ memoryType, memoryId, content, metadata }: Found): Shown {
  const { tier, confidence, createdAt } = metadata
  const papers = metadata.provenance
  const { label, sourceEntity } = isRecord(papers) ? papers : {}
  const parsed = tryParseLabel(label)
  return {
    ref: toRef(memoryType, memoryId),
    kind: memoryType,
    text: content,
    label: parsed ? labelName(parsed) : 'RecallReEntry',
    tier: isTier(tier) ? tier : 0,
    confidence: typeof confidence === 'number' ? rounded(confidence) : 0,
    created_at: typeof createdAt === 'string' ? createdAt : '',
    ...(typeof sourceEntity === 'string' ? { source: sourceEntity } : {}),
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

export async function load(
  { stack, caller, actor }: ToolContext,
  { token_budget, context }: InputOf<'load'>,
): Promise<ToolAnswer> {
  const loaded = await stack.load({
    tokenBudget: token_budget,
    ...(context === undefined ? {} : { context }),
    caller,
    actor,
  })
  const items = itemsIn(loaded).map(({ memory, content, cut }) => ({
    ...shown(memory, content),
    cut,
  }))
  const text = items.length === 0 ? 'Nothing is remembered yet.' : fenced(items)
  const { budgetUsed, excludedCount, ungrounded } = loaded._meta
  const structured = {
    notice: NOTICE,
    items,
    tokens_used: budgetUsed,
    left_out: excludedCount,
    ungrounded,
  }
  return { structured, text }
}
