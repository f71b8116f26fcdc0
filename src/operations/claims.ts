import { z } from 'zod'
import { LINE_KINDS, VERDICTS } from '../domain/claims.ts'
import { LIMITS } from '../domain/limits.ts'
import { once } from '../domain/once.ts'
import { filters, limitOf, reason, ref, refs, use } from './fields.ts'
import { asOf } from './looking-back.ts'
import { defineOperation } from './operation.ts'

const name = once(() => z.string().max(LIMITS.shortTextCharsMax))

const line = once(() => ({
  subject: name().describe('Whom or what it is about.'),
  predicate: name().describe('What is said of it, e.g. city.'),
}))

const validAt = once(() =>
  z
    .string()
    .optional()
    .describe('As it was true then: 2024, 2024-05, 2024-05-15 or a time. Now unless given.'),
)

const known = once(() => asOf().optional())

const gates = once(() => ({ minTier: filters().minTier, for: use() }))

/** What is said of a line, what it comes to, and what may be said of a claim as a whole. */
export const claims = {
  ask: defineOperation({
    name: 'ask',
    summary: 'What holds of a subject, who says so, and who says otherwise.',
    right: 'read',
    input: () => z.strictObject({ ...line(), validAt: validAt(), asOf: known(), ...gates() }),
    example: { subject: 'user', predicate: 'city' },
  }),
  subject: defineOperation({
    name: 'subject',
    summary: 'Everything that is said of a subject, disputes included.',
    right: 'read',
    input: () =>
      z.strictObject({ subject: line().subject, validAt: validAt(), asOf: known(), ...gates() }),
    example: { subject: 'user' },
  }),
  lines: defineOperation({
    name: 'lines',
    summary: 'What is claimed at all, subject by subject, what was spoken of last first.',
    right: 'read',
    input: () =>
      z.strictObject({
        about: name().optional().describe('Only lines of claims that hold these words.'),
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
    example: { about: 'city' },
  }),
  line: defineOperation({
    name: 'line',
    summary: 'Every claim about the same thing and where it stands, along time.',
    right: 'read',
    input: () => z.strictObject({ ...line(), asOf: known(), for: use() }),
    example: { subject: 'user', predicate: 'city' },
  }),
  end: defineOperation({
    name: 'end',
    summary: 'Say that a claim holds no longer, from a moment on.',
    right: 'write',
    input: () =>
      z.strictObject({
        ref: ref(),
        at: z.string().optional().describe('From then on, 2024-05-15 or so. Now unless given.'),
        reason: reason(),
      }),
    example: { ref: 'claim', at: '2090' },
  }),
  retract: defineOperation({
    name: 'retract',
    summary: 'Say that a claim never held; nothing takes its place.',
    right: 'write',
    input: () => z.strictObject({ ref: ref(), reason: reason() }),
    example: { ref: 'claim', reason: 'it was somebody else' },
  }),
  reopen: defineOperation({
    name: 'reopen',
    summary: 'Undo the end, the retraction or the verdict on a claim.',
    right: 'write',
    input: () => z.strictObject({ ref: ref(), reason: reason() }),
    example: { ref: 'claim' },
  }),
  recast: defineOperation({
    name: 'recast',
    summary: 'Say that a line holds one value at a time, or many; only a person does.',
    right: 'write',
    input: () =>
      z.strictObject({
        ...line(),
        cardinality: z.enum(LINE_KINDS).describe('One at a time, or many.'),
        reason: reason(),
      }),
    example: { subject: 'user', predicate: 'city', cardinality: 'SetValued' },
  }),
  adjudicate: defineOperation({
    name: 'adjudicate',
    summary: 'Decide a contest for a claim, against it, or not at all; one verdict settles it.',
    right: 'write',
    input: () =>
      z.strictObject({
        ref: ref(),
        verdict: z.enum(VERDICTS).describe('For it, against it, or nobody knows.'),
        evidence: refs().default([]).describe('First-hand memories that it rests on.'),
        reason: reason(),
      }),
    example: { ref: 'claim', verdict: 'affirm' },
  }),
} as const
