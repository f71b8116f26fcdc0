import { z } from 'zod'
import type { Contradicting } from '../engine/claims/contradictions.ts'
import type { Uncertain } from '../engine/read/overview.ts'
import { readerOf } from './context.ts'
import { limitOf, unit } from './fields.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import { memoryTable } from './text/memory.ts'
import type { Page } from './text/page.ts'
import { clippedTable } from './text/table.ts'
import { oneLine, shortRef } from './text/words.ts'

export const uncertain = defineOperation({
  name: 'uncertain',
  group: 'claims',
  summary: 'Memories of low confidence, the most used first.',
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
  output: () =>
    shape.list(
      z.strictObject({ memory: shape.memory, confidence: shape.number, restingOnIt: shape.count }),
    ),
  example: { threshold: 0.9 },
  tool: 'default',
  run: (context, options) => context.stack.history.uncertain({ ...options, ...readerOf(context) }),
  text: (found, { page }) => uncertainPage(found, page),
})

export const contradictions = defineOperation({
  name: 'contradictions',
  group: 'claims',
  summary: 'Memories that contradict a statement.',
  right: 'read',
  input: () =>
    z.strictObject({
      statement: z.string().describe('The statement, as one sentence.'),
      limit: limitOf(20),
    }),
  output: () =>
    shape.list(
      z.strictObject({
        memory: shape.memory,
        kind: z.enum(['negation', 'opposition', 'number', 'value', 'replacement']),
        score: shape.number,
        evidence: shape.text,
      }),
    ),
  example: { statement: 'Migrations never go first' },
  run: (context, { statement, limit }) =>
    context.stack.claims.contradictions(statement, { limit, ...readerOf(context) }),
  text: (found, { page }) => contradictionsPage(found, page),
})

export const ungrounded = defineOperation({
  name: 'ungrounded',
  group: 'claims',
  summary: 'Beliefs that have lost all their sources.',
  right: 'read',
  input: () => z.strictObject({}),
  output: () => shape.list(shape.memory),
  example: {},
  run: (context) => context.stack.history.ungrounded(readerOf(context)),
  text: (beliefs, { page }) =>
    beliefs.length === 0
      ? ['Every belief still has something to stand on.']
      : memoryTable(beliefs, page),
})

function uncertainPage(found: readonly Uncertain[], { ink, width }: Page): readonly string[] {
  if (found.length === 0) return ['Nothing is that uncertain.']
  const rows = found.map(({ memory, confidence, restingOnIt }) => {
    const ref = shortRef(memory.ref)
    return [
      { text: ref, shown: ink.ref(ref) },
      { text: `confidence ${confidence.toFixed(2)}` },
      { text: restingOnIt === 0 ? 'nothing rests on it' : `${restingOnIt} rest on it` },
      { text: oneLine(memory.text) },
    ]
  })
  const first = shortRef(found[0]?.memory.ref ?? '')
  return [
    ...clippedTable(rows, width),
    ink.faint(`next: muniment claims verify ${first} --evidence <ref>`),
  ]
}

function contradictionsPage(
  found: readonly Contradicting[],
  { ink, width }: Page,
): readonly string[] {
  if (found.length === 0) return ['Nothing that is believed speaks against it.']
  const rows = found.map(({ memory, kind, evidence }) => {
    const ref = shortRef(memory.ref)
    return [
      { text: ref, shown: ink.ref(ref) },
      { text: kind },
      { text: oneLine(evidence) },
      { text: oneLine(memory.text) },
    ]
  })
  return clippedTable(rows, width)
}
