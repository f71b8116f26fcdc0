import { z } from 'zod'
import { LINE_KINDS, VERDICTS } from '../domain/claims.ts'
import { ofLine } from './ask.ts'
import { by, CHANGE, changedPage, changedShape, FIRST_HAND, settled } from './change.ts'
import { given } from './context.ts'
import { reason, ref, refs } from './fields.ts'
import { defineOperation } from './operation.ts'

export const end = defineOperation({
  name: 'end',
  group: 'claims',
  summary: 'Say that a claim holds no longer, from a moment on.',
  right: 'write',
  input: () =>
    z.strictObject({
      ref: ref(),
      at: z.string().optional().describe('From then on, 2024-05-15 or so. Now unless given.'),
      reason: reason(),
    }),
  output: () => changedShape,
  example: { ref: 'claim', at: '2090' },
  notes: [FIRST_HAND],
  tool: 'memory',
  ...CHANGE,
  run: async (context, { ref, at, reason }) => {
    const options = { ...by(context, reason), ...given({ at }) }
    return settled(context, ref, await context.stack.claims.end(ref, options))
  },
  text: (changed, asked) => changedPage(changed, 'end', asked),
})

export const retract = defineOperation({
  name: 'retract',
  group: 'claims',
  summary: 'Say that a claim never held; nothing takes its place.',
  right: 'write',
  input: () => z.strictObject({ ref: ref(), reason: reason() }),
  output: () => changedShape,
  example: { ref: 'claim', reason: 'it was somebody else' },
  notes: [FIRST_HAND],
  tool: 'memory',
  ...CHANGE,
  run: async (context, { ref, reason }) =>
    settled(context, ref, await context.stack.claims.retract(ref, by(context, reason))),
  text: (changed, asked) => changedPage(changed, 'retract', asked),
})

export const reopen = defineOperation({
  name: 'reopen',
  group: 'claims',
  summary: 'Undo the end, the retraction or the verdict on a claim.',
  right: 'write',
  input: () => z.strictObject({ ref: ref(), reason: reason() }),
  output: () => changedShape,
  example: { ref: 'claim' },
  tool: 'memory',
  ...CHANGE,
  run: async (context, { ref, reason }) =>
    settled(context, ref, await context.stack.claims.reopen(ref, by(context, reason))),
  text: (changed, asked) => changedPage(changed, 'reopen', asked),
})

export const recast = defineOperation({
  name: 'recast',
  group: 'claims',
  summary: 'Let a timeline hold one value at a time, or many; a person decides.',
  right: 'write',
  input: () =>
    z.strictObject({
      ...ofLine(),
      cardinality: z.enum(LINE_KINDS).describe('One at a time, or many.'),
      reason: reason(),
    }),
  output: () => changedShape,
  example: { subject: 'user', predicate: 'city', cardinality: 'SetValued' },
  notes: ['Only a person says so: values that contested each other may then stand side by side.'],
  tool: 'memory',
  ...CHANGE,
  run: async (context, { subject, predicate, cardinality, reason }) => {
    const options = { ...by(context, reason), cardinality }
    const { ref, ...result } = await context.stack.claims.recast({ subject, predicate }, options)
    return settled(context, ref, result)
  },
  text: (changed, asked) => changedPage(changed, 'recast', asked),
})

export const adjudicate = defineOperation({
  name: 'adjudicate',
  group: 'claims',
  summary: 'A person’s verdict on a contested claim: affirm, deny or unknown.',
  right: 'write',
  input: () =>
    z.strictObject({
      ref: ref(),
      verdict: z.enum(VERDICTS).describe('For it, against it, or nobody knows.'),
      evidence: refs().default([]).describe('First-hand memories that it rests on.'),
      reason: reason(),
    }),
  output: () => changedShape,
  example: { ref: 'claim', verdict: 'affirm' },
  notes: [
    'A person’s word is enough; anyone else names first-hand evidence. A model’s proposal is put up for review (6).',
  ],
  tool: 'memory',
  ...CHANGE,
  run: async (context, { ref, verdict, evidence, reason }) => {
    const options = { ...by(context, reason), verdict, evidence }
    return settled(context, ref, await context.stack.claims.adjudicate(ref, options))
  },
  text: (changed, asked) => changedPage(changed, 'adjudicate', asked),
})
