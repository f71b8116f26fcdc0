import { z } from 'zod'
import type { Diff, Difference } from '../engine/history/history.ts'
import { momentOf, readerOf } from './context.ts'
import { asOf } from './fields.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import type { Page } from './text/page.ts'
import { oneLine, shortRef } from './text/words.ts'

export const diff = defineOperation({
  name: 'diff',
  group: 'ledger',
  summary: 'Memories added, lost and changed between two moments.',
  right: 'read',
  input: () =>
    z.strictObject({
      from: asOf(),
      to: asOf().optional().describe('Up to then; up to now unless given.'),
    }),
  output: () =>
    z.strictObject({
      from: shape.moment,
      to: shape.moment,
      added: shape.list(differenceShape),
      lost: shape.list(differenceShape),
      changed: shape.list(differenceShape),
    }),
  example: { from: '2' },
  run: (context, { from, to }) => {
    const until = to === undefined ? NOW : momentOf(to)
    return context.stack.history.diff(momentOf(from), until, readerOf(context))
  },
  text: (diff, { page }) => diffPage(diff, page),
})

const NOW = Number.MAX_SAFE_INTEGER // beyond any last entry

const differenceShape = z.strictObject({
  ref: shape.text,
  before: shape.memory.nullable(),
  after: shape.memory.nullable(),
  members: shape.list(shape.text),
})

function diffPage({ from, to, added, lost, changed }: Diff, page: Page): readonly string[] {
  const { ink } = page
  const part = (title: string, all: readonly Difference[], mark: string) =>
    all.length === 0
      ? []
      : [
          ink.strong(`${title} (${all.length})`),
          ...all.map(({ ref, before, after, members }) => {
            const text = oneLine((after ?? before)?.text ?? '')
            const what = mark === '~' ? ink.faint(`  ${members.join(', ')}`) : ''
            return `  ${mark} ${ink.ref(shortRef(ref))}  ${text}${what}`
          }),
        ]
  const lines = [
    ...part('Learnt', added, '+'),
    ...part('Lost', lost, '-'),
    ...part('Changed', changed, '~'),
  ]
  const span = `Between entry ${from.seq} and entry ${to.seq}`
  return lines.length === 0 ? [`${span} nothing changed.`] : [`${span}:`, ...lines]
}
