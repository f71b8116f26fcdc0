import type { READ_TOOLS } from '../../protocol/tools.ts'
import { NOTICE } from '../../stack/fence.ts'
import { itemsIn } from '../../stack/loaded.ts'
import { papersOf, rendered } from '../../stack/rendering.ts'
import type { ToolAnswer, ToolContext } from './context.ts'
import { rounded, type Shown, shown } from './show.ts'

type InputOf<T extends keyof typeof READ_TOOLS> = (typeof READ_TOOLS)[T]['input']['_zod']['output']

type Found = Awaited<ReturnType<ToolContext['stack']['search']>>[number]

export async function search(
  { stack, caller, actor }: ToolContext,
  {
    query,
    limit,
    kinds,
    context,
    min_confidence,
    said_by,
    since,
    until,
    for: use,
  }: InputOf<'search'>,
): Promise<ToolAnswer> {
  const found = await stack.recall(query, {
    limit,
    ...(use === undefined ? {} : { for: use }),
    ...(kinds === undefined ? {} : { recordTypes: kinds }),
    ...(context === undefined ? {} : { context }),
    ...(min_confidence === undefined ? {} : { minConfidence: min_confidence }),
    ...(said_by === undefined ? {} : { saidBy: said_by }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    caller,
    actor,
  })
  const results = found.results.map((each) => ({ ...resultOf(each), score: rounded(each.score) }))
  const { text } = rendered(found, { for: 'prompt' })
  const { answerable, withheld } = found
  const structured = {
    notice: NOTICE,
    results,
    likely: answerable.isLikely,
    ...(withheld === null ? {} : { withheld: withheld.count }),
  }
  return { structured, text }
}

function resultOf(result: Found): Shown {
  const { createdAt, provenance, standing } = result.metadata
  const { sourceEntity } = isRecord(provenance) ? provenance : {}
  const { confidence, also: _, ...papers } = papersOf(result)
  return {
    ...papers,
    kind: result.memoryType,
    confidence: rounded(confidence),
    created_at: typeof createdAt === 'string' ? createdAt : '',
    ...(typeof sourceEntity === 'string' ? { source: sourceEntity } : {}),
    ...(typeof standing === 'string' ? { standing } : {}),
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

export async function load(
  { stack, caller, actor }: ToolContext,
  { token_budget, context, for: use }: InputOf<'load'>,
): Promise<ToolAnswer> {
  const loaded = await stack.load({
    tokenBudget: token_budget,
    ...(use === undefined ? {} : { for: use }),
    ...(context === undefined ? {} : { context }),
    caller,
    actor,
  })
  const items = itemsIn(loaded).map(({ memory, content, cut, standing }) => ({
    ...shown(memory, content),
    cut,
    ...(standing === undefined ? {} : { standing }),
  }))
  const { budgetUsed, excludedCount, ungrounded, withheld } = loaded._meta
  const text =
    items.length === 0 ? 'Nothing is remembered yet.' : rendered(loaded, { for: 'prompt' }).text
  const structured = {
    notice: NOTICE,
    items,
    tokens_used: budgetUsed,
    left_out: excludedCount,
    ungrounded,
    withheld: withheld.count,
  }
  return { structured, text }
}
