import { z } from 'zod'
import { itemsIn, NOTICE, papersOf, rendered } from '../../engine/read/render.ts'
import type { Withheld } from '../../engine/read/use-gate.ts'
import type { Stack } from '../../stack.ts'
import {
  CONFIRM_NOTE,
  PERSONAL_HEADING,
  PERSONAL_SHARE,
  withheldSentence,
} from '../text/withheld.ts'
import { defineTool, type ToolAnswer, type ToolContext } from '../tool.ts'
import {
  context,
  kinds,
  limitOf,
  notice,
  saidBy,
  share,
  shownFields,
  since,
  until,
  use,
  withheldStep,
} from './fields.ts'
import { rounded, type Shown, shown } from './shared.ts'

/** Most characters of the words to search for. */
export const SEARCH_QUERY_CHARS_MAX = 10_000

export const READS = { readOnly: true, idempotent: true } as const

const searchInput = z.strictObject({
  query: z.string().max(SEARCH_QUERY_CHARS_MAX),
  limit: limitOf(10),
  kinds,
  context,
  min_confidence: share.optional(),
  said_by: saidBy,
  since,
  until,
  for: use,
})

type SearchInput = z.output<typeof searchInput>

export const searchTool = defineTool({
  name: 'memory_search',
  title: 'Search memory',
  description:
    'Find memories by words. Each has a label, tier 0 to 3 and confidence. To act takes tier 2.',
  toolset: 'default',
  effects: READS,
  input: searchInput,
  output: z.strictObject({
    notice,
    likely: z.boolean(),
    withheld: z.int().exactOptional(),
    withheld_step: withheldStep,
    results: z.array(
      z.strictObject({ ...shownFields, score: z.number(), standing: z.string().exactOptional() }),
    ),
  }),
  run: runSearch,
})

const loadInput = z.strictObject({
  token_budget: z.int().min(100).max(50_000).default(4_000),
  context,
  for: use,
})

type LoadInput = z.output<typeof loadInput>

export const loadTool = defineTool({
  name: 'memory_load',
  title: 'Load working memory',
  description: 'What matters most, within a token budget.',
  toolset: 'default',
  effects: READS,
  input: loadInput,
  output: z.strictObject({
    notice,
    withheld: z.int(),
    withheld_step: withheldStep,
    items: z.array(
      z.strictObject({ ...shownFields, cut: z.boolean(), standing: z.string().exactOptional() }),
    ),
    tokens_used: z.int(),
    left_out: z.int(),
    ungrounded: z.array(z.string()).describe('No source left.'),
  }),
  run: runLoad,
})

type SearchHit = Awaited<ReturnType<ToolContext['stack']['search']>>[number]

export async function runSearch(
  { stack, personal = null, caller, actor }: ToolContext,
  { query, limit, kinds, context, min_confidence, said_by, since, until, for: use }: SearchInput,
): Promise<ToolAnswer> {
  const asked = {
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
  }
  const found = [
    { stackName: null, ...(await stack.recall(query, asked)) },
    ...(personal === null
      ? []
      : [{ stackName: personal.stackId, ...(await personal.recall(query, asked)) }]),
  ]
  const kept = bestOf(found, limit)
  const [own, ofPersonal] = kept.map((each) => rendered(each, { for: 'prompt' }).text)
  const hasPersonal = (kept[1]?.results.length ?? 0) > 0
  const withheldCount = found.reduce((sum, { withheld }) => sum + (withheld?.count ?? 0), 0)
  const structured = {
    notice: NOTICE,
    results: kept.flatMap(shownResults).sort((a, b) => b.score - a.score),
    likely: found.some(({ answerable }) => answerable.isLikely),
    ...(found.every(({ withheld }) => withheld === null)
      ? {}
      : { withheld: withheldCount, ...stepFor(withheldCount) }),
  }
  const text = joined(own ?? '', hasPersonal ? ofPersonal : undefined)
  const lines = found.map(({ withheld }) => withheldLine(withheld)).join('')
  return { structured, text: `${text}${lines}` }
}

type RecalledIn = Awaited<ReturnType<Stack['recall']>> & { readonly stackName: string | null }

/** The best results of all stacks; every stack scores by the same measure. */
function bestOf(found: readonly RecalledIn[], limit: number | undefined): readonly RecalledIn[] {
  if (found.length === 1 || limit === undefined) return found
  const scores = found.flatMap(({ results }) => results.map(({ score }) => score))
  const least = scores.sort((a, b) => b - a).at(limit - 1) ?? 0
  let room = limit
  return found.map((each) => {
    const results = each.results.filter(({ score }) => score >= least).slice(0, room)
    room -= results.length
    return { ...each, results }
  })
}

const shownResults = ({ results, stackName }: RecalledIn) =>
  results.map((each) => ({
    ...resultOf(each),
    score: rounded(each.score),
    ...(stackName === null ? {} : { stack: stackName }),
  }))

/** Each stack has its own fence, so a reader sees every memory's origin. */
const joined = (own: string, ofPersonal: string | undefined): string =>
  ofPersonal === undefined ? own : `${own}\n${PERSONAL_HEADING}\n${ofPersonal}`

const withheldLine = (withheld: Withheld | null): string =>
  withheld === null || withheld.count === 0 ? '' : `\n${withheldSentence(withheld, CONFIRM_NOTE)}`

/** A client may show a model the structured content alone, so the step stands there too. */
const stepFor = (count: number) => (count === 0 ? {} : { withheld_step: CONFIRM_NOTE })

function resultOf(result: SearchHit): Shown {
  const { createdAt, provenance, standing, status } = result.metadata
  const { sourceEntity } = isRecord(provenance) ? provenance : {}
  const { confidence, also: _, ...papers } = papersOf(result)
  return {
    ...papers,
    kind: result.memoryType,
    confidence: rounded(confidence),
    created_at: typeof createdAt === 'string' ? createdAt : '',
    ...(typeof sourceEntity === 'string' ? { source: sourceEntity } : {}),
    ...(typeof standing === 'string' ? { standing } : {}),
    ...(typeof status === 'string' ? { status } : {}),
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The personal stack gets at most a quarter of the budget, and the project all the rest. */
export async function runLoad(context: ToolContext, input: LoadInput): Promise<ToolAnswer> {
  const { personal = null } = context
  if (personal === null) return (await loadedFrom(context, input)).answer
  const budget = input.token_budget
  const share = { ...input, token_budget: Math.max(1, Math.floor(budget / PERSONAL_SHARE)) }
  const theirs = await loadedFrom({ ...context, stack: personal }, share)
  const left = Math.max(1, budget - theirs.used)
  const { answer } = await loadedFrom(context, { ...input, token_budget: left })
  return withPersonal(answer, theirs.answer, personal.stackId)
}

type LoadAnswer = Readonly<Record<'tokens_used' | 'left_out' | 'withheld', number>> & {
  readonly notice: string
  readonly items: readonly object[]
  readonly ungrounded: readonly string[]
}

function withPersonal(
  own: { readonly structured: LoadAnswer; readonly text: string },
  personal: { readonly structured: LoadAnswer; readonly text: string },
  stack: string,
): ToolAnswer {
  const [a, b] = [own.structured, personal.structured]
  const structured = {
    notice: NOTICE,
    items: [...a.items, ...b.items.map((item) => ({ ...item, stack }))],
    tokens_used: a.tokens_used + b.tokens_used,
    left_out: a.left_out + b.left_out,
    ungrounded: [...a.ungrounded, ...b.ungrounded],
    withheld: a.withheld + b.withheld,
    ...stepFor(a.withheld + b.withheld),
  }
  return { structured, text: joined(own.text, b.items.length === 0 ? undefined : personal.text) }
}

async function loadedFrom(
  { stack, caller, actor }: ToolContext,
  { token_budget, context, for: use }: LoadInput,
): Promise<{
  readonly used: number
  readonly answer: { readonly structured: LoadAnswer; readonly text: string }
}> {
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
    items.length === 0
      ? `Nothing is remembered that this use takes.${withheldLine(withheld)}`
      : rendered(loaded, { for: 'prompt' }).text
  const structured = {
    notice: NOTICE,
    items,
    tokens_used: budgetUsed,
    left_out: excludedCount,
    ungrounded,
    withheld: withheld.count,
    ...stepFor(withheld.count),
  }
  return { used: budgetUsed, answer: { structured, text } }
}
