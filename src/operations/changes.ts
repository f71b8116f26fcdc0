import { z } from 'zod'
import { MunimentError, once } from '../domain/errors.ts'
import { tags } from '../domain/kinds/fields.ts'
import { GOAL_PRIORITIES, GOAL_STATUSES } from '../domain/kinds/goal.ts'
import {
  by,
  CHANGE,
  changedPage,
  changedShape,
  changeTo,
  EVIDENCE,
  FIRST_HAND,
  settled,
} from './change.ts'
import { given } from './context.ts'
import { confidence, reason, ref, refs, unit } from './fields.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import { WRITE, writtenPage } from './written.ts'

const evidence = once(() =>
  refs()
    .default([])
    .describe('What speaks for it: memories that rest on other first-hand words than it does.'),
)

export const forget = defineOperation({
  name: 'forget',
  group: 'first',
  summary: 'Put a memory out of mind. Nothing is lost: recover brings it back.',
  right: 'write',
  input: () => z.strictObject({ ref: ref(), reason: reason() }),
  output: () => changedShape,
  example: { ref: 'note', reason: 'the table was split' },
  places: ['reason'],
  notes: [FIRST_HAND],
  tool: 'default',
  ...CHANGE,
  run: (context, input) => changeTo(context, input, { type: 'forget' }),
  text: (changed, asked) => changedPage(changed, 'forget', asked),
})

export const recover = defineOperation({
  name: 'recover',
  group: 'memory',
  summary: 'Bring a forgotten memory back.',
  right: 'write',
  input: () => z.strictObject({ ref: ref(), reason: reason() }),
  output: () => changedShape,
  example: { ref: 'note' },
  tool: 'memory',
  ...CHANGE,
  run: (context, input) => changeTo(context, input, { type: 'recover' }),
  text: (changed, asked) => changedPage(changed, 'recover', asked),
})

export const protect = defineOperation({
  name: 'protect',
  group: 'memory',
  summary: 'Keep a memory from fading and from being forgotten.',
  right: 'write',
  input: () =>
    z.strictObject({
      ref: ref(),
      off: z.boolean().default(false).describe('Take the protection away.'),
      reason: reason(),
    }),
  output: () => changedShape,
  example: { ref: 'value' },
  examples: ['muniment memory protect value:1a2b3c4d --off'],
  tool: 'memory',
  ...CHANGE,
  run: (context, { off, ...input }) => changeTo(context, input, { type: 'protect', on: !off }),
  text: (changed, asked) => changedPage(changed, 'protect', asked),
})

export const weaken = defineOperation({
  name: 'weaken',
  group: 'memory',
  summary: 'Lower a memory’s strength, so that recall ranks it lower.',
  right: 'write',
  input: () =>
    z.strictObject({
      ref: ref(),
      amount: unit().describe('How much strength to take away, 0 to 1.'),
      reason: reason(),
    }),
  output: () => changedShape,
  example: { ref: 'episode', amount: 0.1 },
  notes: [FIRST_HAND],
  tool: 'memory',
  ...CHANGE,
  run: async (context, { ref, amount, reason }) =>
    settled(context, ref, await context.stack.changes.weaken(ref, amount, by(context, reason))),
  text: (changed, asked) => changedPage(changed, 'weaken', asked),
})

export const unlink = defineOperation({
  name: 'unlink',
  group: 'memory',
  summary: 'Show a memory on its own, no longer as a likely rewording of another.',
  right: 'write',
  input: () => z.strictObject({ ref: ref(), reason: reason() }),
  output: () => changedShape,
  example: { ref: 'note' },
  notes: [
    'The memory then has a place of its own in search, load and review.',
    'Only a person can: a model’s proposal is put up for review (6).',
  ],
  examples: ['muniment memory unlink note:0197 --reason "another rule, about another table"'],
  ...CHANGE,
  run: (context, input) => changeTo(context, input, { type: 'overrule' }),
  text: (changed, asked) => changedPage(changed, 'unlink', asked),
})

export const access = defineOperation({
  name: 'access',
  group: 'memory',
  summary: 'Mark a memory as useful: recall ranks it higher. Reading alone never does.',
  right: 'write',
  input: () => z.strictObject({ ref: ref() }),
  output: () => changedShape,
  example: { ref: 'episode' },
  tool: 'memory',
  ...CHANGE,
  run: (context, input) => changeTo(context, input, { type: 'access' }),
  text: (changed, asked) => changedPage(changed, 'access', asked),
})

export const describe = defineOperation({
  name: 'describe',
  group: 'memory',
  summary: 'Set a memory’s confidence, or replace its tags; its words stay.',
  right: 'write',
  input: () =>
    z.strictObject({
      ref: ref(),
      confidence: confidence().optional(),
      tags: tags().optional().describe('A tag; those given replace those it has.'),
      reason: reason(),
    }),
  output: () => changedShape,
  example: { ref: 'belief', confidence: 0.7, tags: ['deploy'] },
  notes: [FIRST_HAND, 'Raising confidence without evidence takes a person’s word.'],
  tool: 'memory',
  ...CHANGE,
  run: async (context, { confidence, tags, ...said }) => {
    if (confidence === undefined && tags === undefined) {
      throw new MunimentError('invalid_input', 'describe needs a confidence or tags.')
    }
    const what = { type: 'describe', confidence: confidence ?? null, tags: tags ?? null } as const
    return changeTo(context, said, what)
  },
  text: (changed, asked) => changedPage(changed, 'describe', asked),
})

export const verify = defineOperation({
  name: 'verify',
  group: 'claims',
  summary: 'Confirm a memory by independent evidence, which raises its confidence.',
  right: 'write',
  input: () => z.strictObject({ ref: ref(), evidence: evidence(), reason: reason() }),
  output: () => changedShape,
  example: { ref: 'belief', evidence: ['raw'] },
  notes: EVIDENCE,
  tool: 'default',
  ...CHANGE,
  run: async (context, { ref, evidence, reason }) => {
    const options = { ...by(context, reason), evidence }
    return settled(context, ref, await context.stack.changes.verify(ref, options))
  },
  text: (changed, asked) => changedPage(changed, 'verify', asked),
})

export const reinforce = defineOperation({
  name: 'reinforce',
  group: 'claims',
  summary: 'Confirm a memory again; each time raises its confidence less.',
  right: 'write',
  input: () => z.strictObject({ ref: ref(), evidence: evidence(), reason: reason() }),
  output: () => changedShape,
  example: { ref: 'belief', evidence: ['raw'] },
  notes: EVIDENCE,
  tool: 'memory',
  ...CHANGE,
  run: async (context, { ref, evidence, reason }) => {
    const options = { ...by(context, reason), evidence }
    return settled(context, ref, await context.stack.changes.reinforce(ref, options))
  },
  text: (changed, asked) => changedPage(changed, 'reinforce', asked),
})

export const updateGoal = defineOperation({
  name: 'update_goal',
  group: 'hidden',
  summary: 'Complete, pause, drop or take up a goal again, or change its priority.',
  right: 'write',
  input: () =>
    z.strictObject({
      ref: ref(),
      status: z.enum(GOAL_STATUSES).optional().describe('Where the goal stands from now on.'),
      priority: z.enum(GOAL_PRIORITIES).optional().describe('How much it matters.'),
      derivedFrom: refs().optional().describe('What speaks for the change.'),
    }),
  output: () => shape.written,
  example: { ref: 'goal', status: 'completed' },
  tool: 'memory',
  ...WRITE,
  run: ({ stack, caller, actor }, { ref, ...change }) => {
    const { derivedFrom, ...fields } = given(change)
    return stack.changes.updateGoal(ref, fields, { caller, actor, ...given({ derivedFrom }) })
  },
  text: (result, asked) => writtenPage(result, asked),
})

export const usePlaybook = defineOperation({
  name: 'use',
  group: 'agent',
  summary: 'Count one use of a playbook, and whether it worked.',
  right: 'write',
  input: () =>
    z.strictObject({
      ref: ref(),
      failed: z.boolean().default(false).describe('It did not go well.'),
      episode: ref().optional().describe('The episode of its use.'),
    }),
  output: () => shape.memory,
  example: { ref: 'playbook' },
  run: ({ stack, caller, actor }, { ref, failed, episode }) =>
    stack.epochs.usePlaybook(ref, { hasSucceeded: !failed, ...given({ episode }), caller, actor }),
  text: ({ body }) => [
    `${body.masteryLevel}: used ${body.timesUsed} times, ${Math.round(body.successRate * 100)} % went well`,
  ],
})
