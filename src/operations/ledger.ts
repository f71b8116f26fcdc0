import { z } from 'zod'
import { jsonObject, shortText } from '../domain/kinds/fields.ts'
import { limitOf, ref } from './fields.ts'
import { defineOperation } from './operation.ts'

/** The papers themselves: bytes of the ledger, heads that were signed, and what they are judged by. */
export const ledger = {
  entries: defineOperation({
    name: 'entries',
    summary: 'The ledger itself, entry by entry, as the text that was hashed.',
    right: 'read',
    input: () =>
      z.strictObject({
        from: z.int().min(0).default(0).describe('The number of the first entry.'),
        limit: limitOf(100),
      }),
    example: { from: 0, limit: 2 },
  }),
  heads: defineOperation({
    name: 'heads',
    summary: 'Every head that was signed here, and the key that checks them.',
    right: 'read',
    input: () => z.strictObject({}),
    example: {},
  }),
  consistency: defineOperation({
    name: 'consistency',
    summary: 'A proof that the log of now extends a head that somebody holds.',
    right: 'read',
    input: () =>
      z.strictObject({
        size: z.int().min(0).describe('How many entries the head covers that is held.'),
      }),
    example: { size: 1 },
  }),
  prov: defineOperation({
    name: 'prov',
    summary: 'Where one memory came from, or all of them, as W3C PROV-JSON; no words in it.',
    right: 'read',
    input: () => z.strictObject({ ref: ref().optional() }),
    example: { ref: 'belief' },
  }),
  policy: defineOperation({
    name: 'policy',
    summary: 'The numbers that the rules go by, now or then; given changes, a person sets others.',
    right: 'read',
    rises: { field: 'changes', right: 'person' },
    input: () =>
      z.strictObject({
        at: z
          .string()
          .optional()
          .describe('As it was after an entry, by its number, or the one of a hash.'),
        changes: jsonObject().optional().describe('Fields to change, as JSON; the others stay.'),
      }),
    example: {},
  }),
  replay: defineOperation({
    name: 'replay',
    summary:
      'Decide again what an entry tells of, by the policy of then; says if it gives the same.',
    right: 'read',
    input: () =>
      z.strictObject({
        seq: z.int().min(0).describe('The number of an entry of what was taken in.'),
      }),
    example: { seq: 3 },
  }),
  receipts: defineOperation({
    name: 'receipts',
    summary: 'What was served in a session, oldest first.',
    right: 'read',
    input: () => z.strictObject({ of: shortText().describe('The session.') }),
    example: { of: 'morning' },
  }),
} as const
