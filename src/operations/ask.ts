import { z } from 'zod'
import { once } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'
import type { Answer } from '../engine/claims/answer.ts'
import { answerShape, lineStepShape, linesPageShape } from './claim-shapes.ts'
import { given, pastOf } from './context.ts'
import { asOf, filters, limitOf, use } from './fields.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'

const shortName = once(() => z.string().max(LIMITS.shortTextCharsMax))

export const ofLine = once(() => ({
  subject: shortName().describe('Whom or what it is about.'),
  predicate: shortName().describe('What is said of it, e.g. city.'),
}))

const validAt = once(() =>
  z
    .string()
    .optional()
    .describe('As it was true then: 2024, 2024-05, 2024-05-15 or a time. Now unless given.'),
)

const known = once(() => asOf().optional())

const gates = once(() => ({ minTier: filters().minTier, for: use() }))

export const ask = defineOperation({
  name: 'ask',
  group: 'first',
  summary: 'What is true of somebody or something, who says so, and who says otherwise.',
  right: 'read',
  input: () =>
    z.strictObject({
      subject: ofLine().subject,
      predicate: ofLine().predicate.optional().describe('What is asked, e.g. city; otherwise all.'),
      validAt: validAt(),
      asOf: known(),
      ...gates(),
    }),
  output: () => z.union([answerShape, shape.list(answerShape)]),
  example: { subject: 'user', predicate: 'city' },
  examples: [
    'muniment ask user',
    'muniment ask user city --valid-at 2021',
    'muniment ask user city --as-of 2026-01-31',
  ],
  places: ['predicate'],
  tool: 'default',
  run: async (
    { stack, caller, actor },
    { subject, predicate, asOf, ...more },
  ): Promise<Answer | readonly Answer[]> => {
    const options = { ...given(more), ...pastOf(asOf), caller, actor }
    return predicate === undefined
      ? stack.claims.subject(subject, options)
      : stack.claims.ask({ subject, predicate, ...options })
  },
  text: async (found, { page }) => {
    const { answerPage, subjectPage } = await import('./text/claims.ts')
    return 'standing' in found ? answerPage(found, page) : subjectPage(found, page)
  },
})

export const timelines = defineOperation({
  name: 'timelines',
  group: 'claims',
  summary: 'Every subject and predicate with claims, the latest first.',
  right: 'read',
  input: () =>
    z.strictObject({
      about: shortName().optional().describe('Only timelines of claims with these words.'),
      contested: z.boolean().default(false).describe('Only timelines that wait for a verdict.'),
      limit: limitOf(50),
      before: z
        .int()
        .min(0)
        .optional()
        .describe('Continue after the timeline last changed by this entry.'),
      ...gates(),
    }),
  output: () => linesPageShape,
  example: { about: 'city' },
  run: ({ stack, caller, actor }, asked) =>
    stack.claims.timelines({ ...given(asked), caller, actor }),
  text: async (found, { page }) => (await import('./text/claims.ts')).linesPage(found, page),
})

export const timeline = defineOperation({
  name: 'timeline',
  group: 'claims',
  summary: 'Every claim about one subject and predicate, along time.',
  right: 'read',
  input: () => z.strictObject({ ...ofLine(), asOf: known(), for: use() }),
  output: () => shape.list(lineStepShape),
  example: { subject: 'user', predicate: 'city' },
  tool: 'default',
  run: ({ stack, caller, actor }, { subject, predicate, asOf, ...use }) =>
    stack.claims.timeline({ subject, predicate, ...given(use), ...pastOf(asOf), caller, actor }),
  text: async (steps, { page }) => (await import('./text/claims.ts')).linePage(steps, page),
})
