import { z } from 'zod'
import { TRANSITION_NAMES } from '../domain/vocabulary.ts'
import type { ProcessReport } from '../engine/processing/run/process.ts'
import type { Promoted } from '../engine/review/promote.ts'
import { given } from './context.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import type { Page } from './text/page.ts'
import { table } from './text/table.ts'
import { oneLine, plural, shortRef } from './text/words.ts'

const BATCHES_MAX = 100

export const processCaptures = defineOperation({
  name: 'process',
  group: 'agent',
  summary: 'Turn captures into suggestions, by rules or with a model.',
  right: 'write',
  input: () =>
    z.strictObject({
      transitions: z
        .array(z.enum(TRANSITION_NAMES))
        .optional()
        .describe('Which steps; all of them unless given.'),
      force: z.boolean().default(false).describe('Whether anything calls for it or not.'),
      batches: z.int().min(1).max(BATCHES_MAX).default(1).describe('Batches of each step.'),
      calls: z.int().min(0).optional().describe('Calls of a model that it may take at most.'),
      tokens: z.int().min(0).optional().describe('Tokens that it may cost at most.'),
    }),
  output: () =>
    z.strictObject({
      steps: shape.list(processedShape),
      spent: z.strictObject({ calls: shape.count, tokens: shape.count }),
    }),
  example: { transitions: ['raw_to_note'] },
  run: ({ stack, actor }, { calls, tokens, ...options }) =>
    stack.review.process({ ...given(options), actor, budget: given({ calls, tokens }) }),
  text: (report, { page }) => processedPage(report, page),
})

export const promote = defineOperation({
  name: 'promote',
  group: 'agent',
  summary: 'Turn lessons that recur across episodes into beliefs.',
  right: 'write',
  input: () =>
    z.strictObject({
      context: z.string().optional().describe('Only episodes of this context.'),
      as: z
        .enum(['belief', 'suggestion'])
        .default('belief')
        .describe('A belief at once, or a suggestion for review.'),
      minEpisodes: z.int().min(1).optional().describe('In how many episodes a lesson must recur.'),
    }),
  output: () =>
    z.strictObject({
      episodesScanned: shape.count,
      patternsFound: shape.count,
      beliefsCreated: shape.refs,
      suggestionsCreated: shape.refs,
      alreadyKnown: shape.count,
      refused: shape.list(z.strictObject({ lesson: shape.text, message: shape.text })),
    }),
  example: { as: 'suggestion' },
  run: ({ stack, caller, actor }, options) => stack.promote({ ...given(options), caller, actor }),
  text: (promoted, { page }) => promotedPage(promoted, page),
})

const processedShape = z.strictObject({
  transition: z.enum(TRANSITION_NAMES),
  status: z.enum(['done', 'failed', 'not_due', 'needs_model']),
  by: z.enum(['model', 'rule']).nullable(),
  examined: shape.count,
  made: shape.refs,
  dropped: shape.counts,
  error: shape.maybe,
})

const STATUS: Readonly<Record<ProcessReport['steps'][number]['status'], string>> = {
  done: 'done',
  not_due: 'nothing due',
  needs_model: 'needs a model',
  failed: 'failed',
}

function processedPage({ steps, spent }: ProcessReport, { ink }: Page): readonly string[] {
  const made = steps.flatMap((step) => step.made)
  const rows = steps.map(({ transition, status, examined, made: own, dropped, error }) => [
    { text: transition },
    { text: error ?? STATUS[status] },
    { text: examined === 0 ? '' : `${examined} looked at, ${own.length} suggested` },
    {
      text: Object.entries(dropped)
        .map(([reason, count]) => `${reason} ${count}`)
        .join(', '),
    },
  ])
  return [
    ...table(rows),
    ...(spent.calls > 0 ? [`${plural(spent.calls, 'call')}, ${spent.tokens} tokens`] : []),
    ...made.map((ref) => `  ${ink.good('made')}  ${ink.ref(shortRef(ref))}`),
    ...(made.length > 0 ? [ink.faint('  next: muniment review')] : []),
  ]
}

function promotedPage(promoted: Promoted, { ink }: Page): readonly string[] {
  const { episodesScanned, patternsFound, alreadyKnown, refused } = promoted
  const made = [...promoted.beliefsCreated, ...promoted.suggestionsCreated]
  const found = plural(patternsFound, 'lesson recurs', 'lessons recur')
  return [
    `${plural(episodesScanned, 'episode')} looked at; ${found}, ${alreadyKnown} known already.`,
    ...made.map((ref) => `  ${ink.good('made')}  ${ink.ref(shortRef(ref))}`),
    ...refused.map(
      ({ lesson, message }) => `  ${ink.bad('refused')}  ${oneLine(`${lesson}: ${message}`)}`,
    ),
    ...(promoted.suggestionsCreated.length > 0 ? [ink.faint('  next: muniment review')] : []),
  ]
}
