import { z } from 'zod'
import { once } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'
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
  summary: 'What holds of a subject, who says so, and who says otherwise.',
  right: 'read',
  input: () => z.strictObject({ ...ofLine(), validAt: validAt(), asOf: known(), ...gates() }),
  output: () => answerShape,
  example: { subject: 'user', predicate: 'city' },
  examples: ['muniment ask user city --valid-at 2021', 'muniment ask user city --as-of 2026-01-31'],
  tool: 'default',
  run: ({ stack, caller, actor }, { subject, predicate, asOf, ...more }) =>
    stack.claims.ask({ subject, predicate, ...given(more), ...pastOf(asOf), caller, actor }),
  text: async (answer, { page }) => (await import('./text/claims.ts')).answerPage(answer, page),
})

export const subject = defineOperation({
  name: 'subject',
  group: 'hidden',
  summary: 'Everything that is said of a subject, disputes included.',
  right: 'read',
  input: () =>
    z.strictObject({ subject: ofLine().subject, validAt: validAt(), asOf: known(), ...gates() }),
  output: () => shape.list(answerShape),
  example: { subject: 'user' },
  tool: 'default',
  run: ({ stack, caller, actor }, { subject, asOf, ...more }) =>
    stack.claims.subject(subject, { ...given(more), ...pastOf(asOf), caller, actor }),
  text: async (answers, { page }) => (await import('./text/claims.ts')).subjectPage(answers, page),
})

export const lines = defineOperation({
  name: 'lines',
  group: 'claims',
  summary: 'What is claimed at all, subject by subject, what was spoken of last first.',
  right: 'read',
  input: () =>
    z.strictObject({
      about: shortName().optional().describe('Only lines of claims that hold these words.'),
      contested: z
        .boolean()
        .default(false)
        .describe('Only lines on which somebody waits for a verdict.'),
      limit: limitOf(50),
      before: z
        .int()
        .min(0)
        .optional()
        .describe('Continue behind the line last spoken of by this entry.'),
      ...gates(),
    }),
  output: () => linesPageShape,
  example: { about: 'city' },
  run: ({ stack, caller, actor }, asked) =>
    stack.claims.timelines({ ...given(asked), caller, actor }),
  text: async (found, { page }) => (await import('./text/claims.ts')).linesPage(found, page),
})

export const line = defineOperation({
  name: 'line',
  group: 'claims',
  summary: 'Every claim about the same thing and where it stands, along time.',
  right: 'read',
  input: () => z.strictObject({ ...ofLine(), asOf: known(), for: use() }),
  output: () => shape.list(lineStepShape),
  example: { subject: 'user', predicate: 'city' },
  tool: 'default',
  run: ({ stack, caller, actor }, { subject, predicate, asOf, ...use }) =>
    stack.claims.timeline({ subject, predicate, ...given(use), ...pastOf(asOf), caller, actor }),
  text: async (steps, { page }) => (await import('./text/claims.ts')).linePage(steps, page),
})
