import { z } from 'zod'
import { shortText } from '../domain/kinds/fields.ts'
import type { EndedEpoch } from '../engine/epochs/epochs.ts'
import { given } from './context.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import type { Page } from './text/page.ts'
import { oneLine, plural, shortRef } from './text/words.ts'
import { WRITE, writtenPage } from './written.ts'

export const begin = defineOperation({
  name: 'begin',
  group: 'agent',
  summary: 'Begin an epoch; later memories belong to it, and the epoch before ends.',
  right: 'write',
  input: () =>
    z.strictObject({
      name: shortText().describe('What it shall be called.'),
      why: z.string().optional().describe('What made it begin.'),
    }),
  output: () => shape.written,
  example: { name: 'The second year' },
  ...WRITE,
  run: ({ stack, caller, actor }, { name, why }) =>
    stack.epochs.begin(name, { ...given({ triggerDescription: why }), caller, actor }),
  text: (result, asked) => writtenPage(result, asked),
})

export const conclude = defineOperation({
  name: 'conclude',
  group: 'agent',
  summary: 'End the open epoch, with a summary that cites its memories.',
  right: 'write',
  input: () =>
    z.strictObject({
      summary: z.string().optional().describe('How it is looked back on.'),
    }),
  output: () =>
    z.strictObject({
      epoch: shape.memory,
      summary: z
        .strictObject({ summary: shape.written, covers: shape.refs, isCut: z.boolean() })
        .nullable(),
    }),
  example: {},
  run: ({ stack, caller, actor }, { summary }) =>
    stack.epochs.end({ ...given({ summary }), caller, actor }),
  text: (ended, { page }) => concludedPage(ended, page),
})

function concludedPage({ epoch, summary }: EndedEpoch, { ink }: Page): readonly string[] {
  const { epochNumber, name } = epoch.body
  return [
    `Epoch ${epochNumber}, ${oneLine(name)}, has ended.`,
    ...(summary
      ? [
          `  ${ink.ref(shortRef(summary.summary.ref))} tells of ${plural(summary.covers.length, 'memory', 'memories')}`,
        ]
      : ['  It had no memories to tell of.']),
  ]
}
