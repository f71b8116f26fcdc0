import { z } from 'zod'
import { shortText } from '../domain/kinds/fields.ts'
import { TRANSITION_NAMES } from '../domain/vocabulary.ts'
import { ref } from './fields.ts'
import { defineOperation } from './operation.ts'

const BATCHES_MAX = 100

/** What is made of what is there, and how the memory itself does. */
export const working = {
  process: defineOperation({
    name: 'process',
    summary: 'Make suggestions of what waits, with a model where one is attached or by rule.',
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
    example: { transitions: ['raw_to_note'] },
  }),
  anxiety: defineOperation({
    name: 'anxiety',
    summary: 'How well the memory is kept, from calm to critical, and what would help.',
    right: 'read',
    input: () =>
      z.strictObject({
        contextTokens: z
          .int()
          .min(0)
          .optional()
          .describe('How much of its context a model has used.'),
        contextWindow: z.int().min(1).optional().describe('How much it has.'),
      }),
    example: {},
  }),
  components: defineOperation({
    name: 'components',
    summary: 'What works along in this stack; given a name, what that one has to say.',
    right: 'read',
    input: () =>
      z.strictObject({
        name: shortText().optional().describe('A component, for example knowledge or metamemory.'),
        ref: ref().optional().describe('A memory, where the component can speak of one.'),
      }),
    example: {},
  }),
  begin: defineOperation({
    name: 'begin',
    summary: 'Begin an epoch, which what is written from now on bears; the one before ends.',
    right: 'write',
    input: () =>
      z.strictObject({
        name: shortText().describe('What it shall be called.'),
        why: z.string().optional().describe('What made it begin.'),
      }),
    example: { name: 'The second year' },
  }),
  conclude: defineOperation({
    name: 'conclude',
    summary: 'End the open epoch, with a summary that cites its memories.',
    right: 'write',
    input: () =>
      z.strictObject({
        summary: z.string().optional().describe('How it is looked back on.'),
      }),
    example: {},
  }),
  use: defineOperation({
    name: 'use',
    summary: 'Count one use of a playbook; its mastery follows from how its uses went.',
    right: 'write',
    input: () =>
      z.strictObject({
        ref: ref(),
        failed: z.boolean().default(false).describe('It did not go well.'),
        episode: ref().optional().describe('The episode of its use.'),
      }),
    example: { ref: 'playbook' },
  }),
} as const
