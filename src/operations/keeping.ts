import { z } from 'zod'
import { VERDICTS } from '../domain/claims.ts'
import { DISTRUST_BASES } from '../domain/distrust.ts'
import { DOORS } from '../domain/doors.ts'
import { DERIVED_CHOICES, ERASE_BASES } from '../domain/erasure.ts'
import { jsonObject, shortText } from '../domain/kinds/fields.ts'
import { REVIEW_KINDS } from '../domain/state.ts'
import { LIFECYCLE_STATES } from '../domain/vocabulary.ts'
import { limitOf, reason, ref, refs, unit } from './fields.ts'
import { defineOperation } from './operation.ts'

const QUEUE = 50

/** What keeps a stack in order: the queue, who is trusted, housekeeping, coming in from a file. */
export const keeping = {
  review: defineOperation({
    name: 'review',
    summary: 'What waits for a person; given a memory and an answer, a person settles it.',
    right: 'read',
    rises: { field: 'answer', right: 'person' },
    input: () =>
      z.strictObject({
        ref: ref().optional(),
        answer: z
          .enum(['accept', 'dismiss', 'reject', 'keep', 'forget', ...VERDICTS])
          .optional()
          .describe('What becomes of it; the queue says which answers each takes.'),
        reason: reason(),
        wish: z
          .int()
          .min(0)
          .optional()
          .describe('The wish that is meant, or what was folded away, by the number of its entry.'),
        modifications: jsonObject()
          .optional()
          .describe('Fields to change in a suggestion before it is accepted, as JSON.'),
        kinds: z
          .array(z.enum(REVIEW_KINDS))
          .optional()
          .describe('Only what waits for this reason.'),
        limit: limitOf(QUEUE),
        after: z.string().optional().describe('Continue after this memory.'),
      }),
    example: {},
  }),
  trust: defineOperation({
    name: 'trust',
    summary: 'How far somebody is trusted; given a score, a person says how far.',
    right: 'read',
    rises: { field: 'score', right: 'person' },
    input: () =>
      z.strictObject({
        entityId: shortText().optional().describe('Who: the actor as provenance names it.'),
        domain: shortText().default('general').describe('In which matter.'),
        score: unit()
          .optional()
          .describe('From 0, not at all, to 1. Below 0.6 it bounds the tier of what they say.'),
        evidence: refs().default([]).describe('What it rests on.'),
      }),
    example: { entityId: 'deploy-bot', domain: 'deploys', score: 0.7 },
  }),
  promote: defineOperation({
    name: 'promote',
    summary: 'Make beliefs of lessons that recur across episodes, citing those episodes.',
    right: 'write',
    input: () =>
      z.strictObject({
        context: z.string().optional().describe('Only episodes of this context.'),
        as: z
          .enum(['belief', 'suggestion'])
          .default('belief')
          .describe('A belief at once, or a suggestion for review.'),
        minEpisodes: z
          .int()
          .min(1)
          .optional()
          .describe('In how many episodes a lesson must recur.'),
      }),
    example: { as: 'suggestion' },
  }),
  maintain: defineOperation({
    name: 'maintain',
    summary: 'Do what is due: tallies, expiry, dormant memories, every component’s own work.',
    // Its sweep lets go of first-hand memories in the host's name, which no model may ask of it.
    right: 'person',
    falls: { field: 'dryRun', right: 'read' },
    input: () =>
      z.strictObject({
        dryRun: z.boolean().default(false).describe('Only say what would be forgotten.'),
      }),
    example: {},
  }),
  import: defineOperation({
    name: 'import',
    summary: 'Bring your own export back whole, or memories of another stack as a model’s words.',
    right: 'write',
    rises: { field: 'vouch', right: 'person' },
    input: () =>
      z.strictObject({
        dump: z
          .strictObject({
            format: z.string(),
            stack: z.string(),
            memories: z.array(z.unknown()),
            ledger: z.array(z.string()).optional(),
            seal: z.string().nullable().optional(),
          })
          .describe('What export memories.json or dump --format json gives.'),
        vouch: z
          .boolean()
          .default(false)
          .describe('Take labels, tiers and actors as the file says: a person vouches for them.'),
      }),
    example: { dump: { format: 'muniment/dump/1', stack: 'other', memories: [] } },
  }),
  erase: defineOperation({
    name: 'erase',
    summary: 'Destroy what a memory says for good; given yes, it is done, otherwise only shown.',
    right: 'read',
    rises: { field: 'yes', right: 'write' },
    input: () =>
      z.strictObject({
        ref: ref().optional(),
        actor: shortText()
          .optional()
          .describe('Everything that this actor handed in, and its key.'),
        subject: shortText()
          .optional()
          .describe('Every claim about this subject, whoever said it.'),
        derived: z
          .enum(DERIVED_CHOICES)
          .default('list')
          .describe('What becomes of memories made from it: they are named, go too, or stay.'),
        basis: z.enum(ERASE_BASES).default('requested').describe('Why, as a code that is kept.'),
        yes: z.boolean().default(false).describe('Do it. Nothing brings it back.'),
      }),
    example: { ref: 'raw', yes: true },
  }),
  certificate: defineOperation({
    name: 'certificate',
    summary: 'A certificate that a memory was erased, which anyone can check, anywhere.',
    right: 'read',
    input: () => z.strictObject({ ref: ref() }),
    example: { ref: 'raw' },
  }),
  readmit: defineOperation({
    name: 'readmit',
    summary: 'Let words back in that were erased or rejected, by the memory that said them.',
    right: 'person',
    input: () => z.strictObject({ ref: ref() }),
    example: { ref: 'raw' },
  }),
  distrust: defineOperation({
    name: 'distrust',
    summary:
      'What would change if something were not believed; given yes, it is believed no longer.',
    right: 'read',
    rises: { field: ['yes', 'off'], right: 'write' },
    input: () =>
      z.strictObject({
        ref: ref().optional(),
        actor: shortText().optional().describe('Everything that this actor handed in.'),
        door: z.enum(DOORS).optional().describe('Everything that came through this door.'),
        inSession: shortText().optional().describe('Everything that was written in this session.'),
        basis: z.enum(DISTRUST_BASES).optional().describe('Why, as a code that is kept.'),
        reason: reason().describe('Why, in words; of one memory only.'),
        yes: z.boolean().default(false).describe('Do it. Trusting again undoes it.'),
        off: z.boolean().default(false).describe('Trust it again: everything is as it was.'),
      }),
    example: { actor: 'deploy-bot' },
  }),
  clock: defineOperation({
    name: 'clock',
    summary:
      'The clock beside the last entry; given correct, a person says that the clock is right.',
    right: 'read',
    rises: { field: 'correct', right: 'person' },
    input: () =>
      z.strictObject({
        correct: z
          .boolean()
          .default(false)
          .describe('Let times follow the clock again: one entry says so.'),
      }),
    example: {},
  }),
  state: defineOperation({
    name: 'state',
    summary: 'The lifecycle state; given a state to go to, a person can change it.',
    right: 'read',
    rises: { field: 'to', right: 'person' },
    input: () =>
      z.strictObject({
        to: z.enum(LIFECYCLE_STATES).optional().describe('The state to go to.'),
      }),
    example: {},
  }),
} as const
