import { z } from 'zod'
import { LimitError, once } from '../domain/errors.ts'
import { parseRef, splitRef } from '../domain/ids.ts'
import type { BeliefVersion, RelationshipEvent } from '../engine/history/histories.ts'
import type { Why } from '../engine/history/why.ts'
import type { LineageStep } from '../engine/read/memory-view.ts'
import type { Stack } from '../stack.ts'
import { type DoorContext, given, pastOf, readerOf } from './context.ts'
import { asOf, ref, use } from './fields.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'

export const aboutOneThen = once(() =>
  z.strictObject({ ref: ref(), for: use(), asOf: asOf().optional() }),
)

const whyInput = once(() =>
  aboutOneThen().extend({
    impact: z
      .boolean()
      .default(false)
      .describe('Also everything that was made from it, nearest first.'),
  }),
)

type WhyInput = z.output<ReturnType<typeof whyInput>>

export const why = defineOperation({
  name: 'why',
  group: 'first',
  summary: 'Where a memory comes from, how it changed, and what was made from it.',
  right: 'read',
  input: whyInput,
  output: () => whyShape,
  example: { ref: 'belief' },
  examples: ['muniment why note:1a2b3c4d --impact'],
  run: explained,
  text: async (why, { page }) => (await import('./text/lineage.ts')).whyPage(why, page),
})

/** The explanation of a memory, with its earlier and later versions. */
export interface Explanation extends Why {
  /** The number of memories that were made from it; null above the limit of a walk. */
  readonly impactCount: number | null
  /** Those memories, nearest first; empty unless asked for. */
  readonly impact: readonly LineageStep[]
  /** For a belief: the beliefs in this place, oldest first. */
  readonly versions: readonly BeliefVersion[]
  /** For a relationship: every change of trust, type, notes and interactions. */
  readonly events: readonly RelationshipEvent[]
}

async function explained(
  context: DoorContext,
  { ref, asOf, impact, ...use }: WhyInput,
): Promise<Explanation> {
  const { history } = context.stack
  const reader = readerOf(context)
  const found = await history.why(ref, { ...pastOf(asOf), ...given(use), ...reader })
  const { kind } = splitRef(parseRef(ref))
  const isNow = asOf === undefined
  return {
    ...found,
    impactCount: isNow ? await countedImpact(history, ref) : null,
    impact: isNow && impact ? await history.impact(ref, { ...given(use), ...reader }) : [],
    versions: isNow && kind === 'belief' ? await history.belief(ref, reader) : [],
    events: isNow && kind === 'relationship' ? await history.relationship(ref, reader) : [],
  }
}

/** More descendants than a walk may visit are no reason to explain nothing. */
async function countedImpact(history: Stack['history'], ref: string): Promise<number | null> {
  try {
    return await history.impactCount(ref)
  } catch (error) {
    if (error instanceof LimitError) return null
    throw error
  }
}

/** The turn of a write, and the person's words nearest to the memory. */
const writeTurnShape = shape.named(
  'WriteTurn',
  z.strictObject({
    session: shape.text,
    turn: shape.maybe,
    prompts: shape.refs,
    toolResults: shape.refs,
    promptsInSession: shape.count,
    nearestWords: z
      .strictObject({
        ref: shape.text,
        tier: shape.tier,
        session: shape.text,
        turn: shape.maybe,
        text: shape.maybe,
        start: shape.count,
        end: shape.count,
        prompt: shape.maybe,
        statement: shape.maybe,
        sharedWords: shape.list(shape.text),
        isSameTurn: z.boolean(),
      })
      .nullable(),
  }),
)

const historicShape = z.union([shape.text, shape.number]).nullable()

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
  impactCount: shape.count.nullable(),
  impact: shape.list(shape.step),
  versions: shape.list(
    z.strictObject({
      memory: shape.memory,
      replaces: shape.maybe,
      replacedBy: shape.maybe,
      heldFrom: shape.text,
      heldUntil: shape.maybe,
    }),
  ),
  events: shape.list(
    z.strictObject({
      eventType: shape.text,
      time: shape.text,
      seq: shape.seq,
      version: shape.count,
      old: historicShape,
      new: historicShape,
    }),
  ),
})
