import { z } from 'zod'
import { restingStatus } from '../domain/kinds/goal.ts'
import type { Loaded, LoadedItem } from '../engine/read/load.ts'
import { rendered } from '../engine/read/render.ts'
import { claimStatusShape } from './claim-shapes.ts'
import { given, readerOf } from './context.ts'
import { expand, filters, limitOf, use } from './fields.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import type { Page } from './text/page.ts'
import { block, grouped, plain, plural, rewordingsWords, shortRef, wrap } from './text/words.ts'

export const load = defineOperation({
  name: 'load',
  group: 'agent',
  summary: 'Working memory: the most important memories within a budget of tokens.',
  right: 'read',
  input: () =>
    z.strictObject({
      tokenBudget: z.number().min(0).default(8_000).describe('Tokens it may take, 50,000 at most.'),
      context: z
        .string()
        .optional()
        .describe('Memories of this context, and those of none, which hold everywhere.'),
      minTier: z
        .int()
        .min(0)
        .max(3)
        .optional()
        .describe('Only this trust tier or a higher; 1 unless given.'),
      for: use(),
      expand: expand(),
    }),
  output: () => loadedShape,
  example: { tokenBudget: 2_000 },
  notes: ['With --json everything, with priorities and what was left out and why.'],
  examples: ['muniment agent load --context project:muniment --json'],
  tool: 'default',
  run: ({ stack, caller, actor }, options) => stack.load({ ...given(options), caller, actor }),
  text: (loaded, { page }) => workingMemoryPage(loaded, page),
})

export const render = defineOperation({
  name: 'render',
  group: 'agent',
  summary: 'Working memory as a block to paste into a prompt, fenced as data.',
  right: 'read',
  input: () =>
    z.strictObject({
      query: z.string().optional().describe('About this; working memory unless given.'),
      limit: limitOf(10),
      tokenBudget: z.number().min(0).default(2_000).describe('Tokens of working memory.'),
      context: filters().context,
      for: use(),
      charsMax: z.int().min(1).optional().describe('Characters it may take.'),
    }),
  output: () => z.strictObject({ text: shape.text }),
  example: { query: 'migration table' },
  places: ['query'],
  tool: 'memory',
  run: async (context, input) => {
    const { query, limit, tokenBudget, charsMax, ...asked } = input
    const { stack } = context
    const options = { ...given(asked), ...readerOf(context) }
    const what =
      query === undefined
        ? await stack.load({ ...options, tokenBudget })
        : await stack.recall(query, { ...options, limit })
    const { text } = rendered(what, { for: 'prompt', ...given({ charsMax }) })
    return { text }
  },
  // A block for a prompt: its invisible characters are escaped already.
  text: ({ text }) => [plain(text)],
})

const itemShape = shape.named(
  'LoadedItem',
  z.strictObject({
    memory: shape.memory,
    content: shape.text,
    priority: shape.number,
    tokens: shape.count,
    cut: z.boolean(),
    standing: claimStatusShape.optional(),
    rewordings: shape.count.optional(),
    rewordingRefs: shape.refs.optional(),
  }),
)

/** Components add members of their own. */
const loadedShape = z.looseObject({
  episodes: shape.list(itemShape),
  notes: shape.list(itemShape),
  claims: shape.list(itemShape),
  beliefs: shape.list(itemShape),
  goals: shape.list(itemShape),
  relationships: shape.list(itemShape),
  values: shape.list(itemShape),
  drives: shape.list(itemShape),
  playbooks: shape.list(itemShape),
  summaries: shape.list(itemShape),
  selfNarratives: shape.list(itemShape),
  prompts: shape.list(itemShape),
  _meta: z.strictObject({
    budgetUsed: shape.number,
    budgetTotal: shape.number,
    budgetCapped: z.boolean(),
    included: shape.count,
    excludedCount: shape.count,
    excluded: shape.list(z.strictObject({ ref: shape.text, reason: shape.text })),
    more: shape.refs,
    ungrounded: shape.refs,
    withheld: shape.withheld,
  }),
})

/** Working memory as a page: most important first, each text beside its ref. */
function workingMemoryPage(loaded: Loaded, page: Page): readonly string[] {
  const { _meta: meta } = loaded
  const sections = Object.entries(loaded)
    .flatMap(([name, items]) => (isSection(items) ? [{ name, items }] : []))
    .sort((a, b) => (b.items[0]?.priority ?? 0) - (a.items[0]?.priority ?? 0))
  if (meta.included === 0) {
    const why = meta.excludedCount > 0 ? 'Nothing fits the budget.' : 'Nothing is there to load.'
    return [`${why} What there is: muniment list`]
  }
  const ungrounded = new Set(meta.ungrounded)
  const lines = sections.flatMap(({ name, items }) => [
    page.ink.strong(titleOf(name)),
    ...items.flatMap((item) => itemLines(item, ungrounded.has(item.memory.ref), page)),
    '',
  ])
  return [...lines, page.ink.faint(summaryOf(meta))]
}

/** Components add members beside the sections; those are for programs. */
const isSection = (value: unknown): value is readonly LoadedItem[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => 'memory' in item)

const titleOf = (name: string): string =>
  name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase())

function itemLines(
  { memory, content, cut, standing = 'held', rewordings }: LoadedItem,
  isUngrounded: boolean,
  { ink, width }: Page,
): readonly string[] {
  const facts = [
    shortRef(memory.ref),
    `tier ${memory.tier}`,
    `confidence ${memory.confidence.toFixed(2)}`,
    memory.strengthTier === 'strong' ? '' : memory.strengthTier,
    cut ? 'cut' : '',
    standing === 'held' ? '' : standing,
    restingStatus(memory.kind, memory.status) ?? '',
    isUngrounded ? 'every source is gone' : '',
    rewordings === undefined ? '' : rewordingsWords(rewordings),
  ]
  const [first = '', ...rest] = block(content).flatMap((line) => wrap(line, width - 4))
  return [
    `  ${first}`,
    ...rest.map((line) => `  ${line}`),
    `    ${ink.faint(facts.filter((part) => part !== '').join(' · '))}`,
  ]
}

function summaryOf(meta: Loaded['_meta']): string {
  const used = `${grouped(meta.budgetUsed)} of ${grouped(meta.budgetTotal)} tokens`
  const left =
    meta.excludedCount === 0 ? 'nothing left out' : `${grouped(meta.excludedCount)} left out`
  const more = meta.more.length === 0 ? '' : `; more behind in ${meta.more.join(', ')}`
  const { count, tierMin, hasMore } = meta.withheld
  const kept =
    count === 0 ? '' : `; ${hasMore ? 'at least ' : ''}${count} below tier ${tierMin} withheld`
  const capped = meta.budgetCapped ? ' (the most there is)' : ''
  return `${plural(meta.included, 'memory', 'memories')}, ${used}${capped}, ${left}${more}${kept}`
}
