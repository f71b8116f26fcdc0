import { z } from 'zod'
import { tags } from '../domain/kinds/fields.ts'
import { GOAL_PRIORITIES, GOAL_STATUSES } from '../domain/kinds/goal.ts'
import { once } from '../domain/once.ts'
import { confidence, provenanceFields, reason, ref, refs, unit } from './fields.ts'
import { defineOperation } from './operation.ts'

const evidence = once(() =>
  refs()
    .default([])
    .describe('What speaks for it: memories that rest on other first-hand words than it does.'),
)

/** What may befall a memory after its birth. Each is one entry of the ledger. */
export const changes = {
  forget: defineOperation({
    name: 'forget',
    summary: 'Put a memory out of mind. Nothing is lost: recover brings it back.',
    right: 'write',
    input: () => z.strictObject({ ref: ref(), reason: reason() }),
    example: { ref: 'note', reason: 'the table was split' },
  }),
  recover: defineOperation({
    name: 'recover',
    summary: 'Bring a forgotten memory back.',
    right: 'write',
    input: () => z.strictObject({ ref: ref(), reason: reason() }),
    example: { ref: 'note' },
  }),
  protect: defineOperation({
    name: 'protect',
    summary: 'Keep a memory from fading and from being forgotten.',
    right: 'write',
    input: () =>
      z.strictObject({
        ref: ref(),
        off: z.boolean().default(false).describe('Take the protection away.'),
        reason: reason(),
      }),
    example: { ref: 'value' },
  }),
  weaken: defineOperation({
    name: 'weaken',
    summary: 'Let a memory come to mind less readily.',
    right: 'write',
    input: () =>
      z.strictObject({
        ref: ref(),
        amount: unit().describe('How much strength to take away, 0 to 1.'),
        reason: reason(),
      }),
    example: { ref: 'episode', amount: 0.1 },
  }),
  unlink: defineOperation({
    name: 'unlink',
    summary: 'Remove the link by which a memory is grouped with another as a likely rewording.',
    right: 'write',
    input: () => z.strictObject({ ref: ref(), reason: reason() }),
    example: { ref: 'note' },
  }),
  access: defineOperation({
    name: 'access',
    summary: 'Say that a memory was of use: it comes to mind more readily. Reading never does.',
    right: 'write',
    input: () => z.strictObject({ ref: ref() }),
    example: { ref: 'episode' },
  }),
  describe: defineOperation({
    name: 'describe',
    summary: 'Say how likely a memory is, or replace its tags. Its words stay as they are.',
    right: 'write',
    input: () =>
      z.strictObject({
        ref: ref(),
        confidence: confidence().optional(),
        tags: tags().optional().describe('A tag; those given replace those it has.'),
        reason: reason(),
      }),
    example: { ref: 'belief', confidence: 0.7, tags: ['deploy'] },
  }),
  update_goal: defineOperation({
    name: 'update_goal',
    summary: 'Complete, pause, drop or take up a goal again, or change its priority.',
    right: 'write',
    input: () =>
      z.strictObject({
        ref: ref(),
        status: z.enum(GOAL_STATUSES).optional().describe('Where the goal stands from now on.'),
        priority: z.enum(GOAL_PRIORITIES).optional().describe('How much it matters.'),
        derivedFrom: refs().optional().describe('What speaks for the change.'),
      }),
    example: { ref: 'goal', status: 'completed' },
  }),
  verify: defineOperation({
    name: 'verify',
    summary: 'Confirm a memory by independent evidence, which raises its confidence.',
    right: 'write',
    input: () => z.strictObject({ ref: ref(), evidence: evidence(), reason: reason() }),
    example: { ref: 'belief', evidence: ['raw'] },
  }),
  reinforce: defineOperation({
    name: 'reinforce',
    summary: 'The same by a smaller step each time.',
    right: 'write',
    input: () => z.strictObject({ ref: ref(), evidence: evidence(), reason: reason() }),
    example: { ref: 'belief', evidence: ['raw'] },
  }),
  supersede: defineOperation({
    name: 'supersede',
    summary: 'Put a new belief in the place of an old one, which stays in its history.',
    right: 'write',
    input: () =>
      z.strictObject({
        ref: ref(),
        statement: z.string().describe('One whole sentence.'),
        because: provenanceFields().because,
        derivedFrom: refs().optional().describe('What it was made from beside the old one.'),
        confidence: confidence().optional(),
      }),
    example: {
      ref: 'belief',
      statement: 'Migrations go a day before the deploy',
      because: 'an hour was not enough for forty million rows',
    },
  }),
} as const
