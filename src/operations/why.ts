import { z } from 'zod'
import { once } from '../domain/errors.ts'
import type { Ref } from '../domain/ids.ts'
import { given, pastOf, readerOf } from './context.ts'
import { asOf, ref, use } from './fields.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'

export const aboutOne = once(() => z.strictObject({ ref: ref(), for: use() }))

export const aboutOneThen = once(() => aboutOne().extend({ asOf: asOf().optional() }))

export const why = defineOperation({
  name: 'why',
  group: 'first',
  summary:
    'Where it came from, what it was made from, what you said, how it changed, which rule let it in.',
  right: 'read',
  input: () => aboutOneThen(),
  output: () => whyShape,
  example: { ref: 'belief' },
  run: ({ stack, caller, actor }, { ref, asOf, ...use }) =>
    stack.history.why(ref, { ...pastOf(asOf), ...given(use), caller, actor }),
  text: async (why, { page }) => (await import('./text/lineage.ts')).whyPage(why, page),
})

export const trace = defineOperation({
  name: 'trace',
  group: 'hidden',
  summary: 'Everything a memory was made from, roots first.',
  right: 'read',
  input: () => aboutOneThen(),
  output: () => shape.list(shape.step),
  example: { ref: 'belief' },
  run: ({ stack, caller, actor }, { ref, asOf, ...use }) =>
    stack.history.trace(ref, { ...pastOf(asOf), ...given(use), caller, actor }),
  text: async (steps, { page }) => (await import('./text/lineage.ts')).sourcesTree(steps, page),
})

export const impact = defineOperation({
  name: 'impact',
  group: 'hidden',
  summary: 'Everything that was made from a memory.',
  right: 'read',
  input: () => aboutOne(),
  output: () => shape.list(shape.step),
  example: { ref: 'raw' },
  run: (context, { ref, ...use }) =>
    context.stack.history.impact(ref, { ...given(use), ...readerOf(context) }),
  text: async (steps, { input, page }) =>
    (await import('./text/lineage.ts')).impactPage(input.ref as Ref, steps, page), // resolved before
})

/** The turn of a write, and the sentence of the person that states what was written. */
const writeTurnShape = shape.named(
  'WriteTurn',
  z.strictObject({
    session: shape.text,
    turn: shape.maybe,
    prompts: shape.refs,
    toolResults: shape.refs,
    promptsInSession: shape.count,
    statedBy: z
      .strictObject({
        ref: shape.text,
        tier: shape.tier,
        session: shape.text,
        turn: shape.maybe,
        text: shape.maybe,
        start: shape.count,
        end: shape.count,
        statement: shape.maybe,
        sharedWords: shape.list(shape.text),
        isSameTurn: z.boolean(),
      })
      .nullable(),
  }),
)

const whyShape = z.strictObject({
  memory: shape.memory,
  lineage: shape.list(shape.step),
  evidence: shape.list(shape.memory),
  disagreeing: shape.list(shape.memory),
  changes: shape.list(shape.change),
  confidenceHistory: shape.list(shape.numberChange),
  strengthHistory: shape.list(shape.numberChange),
  letInBy: z.strictObject({
    rule: shape.maybe,
    seq: shape.seq,
    policy: shape.maybe,
    door: shape.door.nullable(),
  }),
  turn: writeTurnShape.nullable(),
  asOf: shape.moment.nullable(),
})
