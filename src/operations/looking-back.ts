import { z } from 'zod'
import { once } from '../domain/once.ts'
import { limitOf, ref, unit } from './fields.ts'
import { defineOperation } from './operation.ts'

/** A moment of the past; what was recorded later is as if it had not been. */
export const asOf = once(() =>
  z
    .string()
    .describe(
      'As it was known then: the number of an entry, a time, or a day, which means its end.',
    ),
)

const aboutOne = once(() => z.strictObject({ ref: ref() }))

/** How things came to be as they are, and where they do not fit together. */
export const lookingBack = {
  history: defineOperation({
    name: 'history',
    summary: 'How its numbers moved, and what stood in its place before and after.',
    right: 'read',
    input: () => aboutOne(),
    example: { ref: 'belief' },
  }),
  diff: defineOperation({
    name: 'diff',
    summary: 'What was learnt, lost and changed between two moments.',
    right: 'read',
    input: () =>
      z.strictObject({
        from: asOf(),
        to: asOf().optional().describe('Up to then; up to now unless given.'),
      }),
    example: { from: '2' },
  }),
  uncertain: defineOperation({
    name: 'uncertain',
    summary: 'Memories of low confidence, those first on which most rests.',
    right: 'read',
    input: () =>
      z.strictObject({
        threshold: unit().default(0.5).describe('Below this confidence, 0 to 1.'),
        applyDecay: z
          .boolean()
          .default(true)
          .describe('By today’s confidence; otherwise by the one last recorded.'),
        limit: limitOf(20),
      }),
    example: { threshold: 0.9 },
  }),
  contradictions: defineOperation({
    name: 'contradictions',
    summary: 'Beliefs that cannot be true beside a statement.',
    right: 'read',
    input: () =>
      z.strictObject({
        statement: z.string().describe('The statement, as one sentence.'),
        limit: limitOf(20),
      }),
    example: { statement: 'Migrations never go first' },
  }),
  ungrounded: defineOperation({
    name: 'ungrounded',
    summary: 'Beliefs whose every source is forgotten or gone.',
    right: 'read',
    input: () => z.strictObject({}),
    example: {},
  }),
  checkpoint: defineOperation({
    name: 'checkpoint',
    summary: 'Sign the head of the ledger; kept elsewhere, it catches any later rewrite.',
    right: 'read',
    input: () => z.strictObject({}),
    example: {},
  }),
  prove: defineOperation({
    name: 'prove',
    summary: 'A receipt for a memory that anyone can check, anywhere.',
    right: 'read',
    input: () =>
      z.strictObject({
        ref: ref(),
        withhold: z.boolean().default(false).describe('Leave the words out.'),
      }),
    example: { ref: 'belief' },
  }),
} as const
