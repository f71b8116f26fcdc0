import { z } from 'zod'
import { once } from '../domain/errors.ts'
import type { Overview } from '../engine/read/overview.ts'
import { given, memoryAt, pastOf, readerOf } from './context.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import { memoryPage } from './text/memory.ts'
import type { Page } from './text/page.ts'
import { table } from './text/table.ts'
import { age, grouped, plural } from './text/words.ts'
import { aboutOneThen } from './why.ts'

const nothing = once(() => z.strictObject({}))

export const show = defineOperation({
  name: 'show',
  group: 'first',
  summary: 'One memory with its birth certificate.',
  right: 'read',
  input: () => aboutOneThen(),
  output: () => shape.memory,
  example: { ref: 'raw' },
  tool: 'memory',
  run: async (context, { ref, asOf, ...use }) => {
    const options = { ...pastOf(asOf), ...given(use), ...readerOf(context) }
    const memory = await memoryAt(context.stack, ref, options)
    await context.stack.history.assertWritten(memory)
    return memory
  },
  text: (memory, { page }) => memoryPage(memory, page),
})

export const stats = defineOperation({
  name: 'stats',
  group: 'stack',
  summary: 'How many memories of each kind there are.',
  right: 'read',
  input: () => nothing(),
  output: () => shape.counts,
  example: {},
  run: ({ stack }) => stack.getStats(),
  text: (counts, { page }) => statsPage(counts, page),
})

export const overview = defineOperation({
  name: 'overview',
  group: 'stack',
  summary: 'The stack at a glance: numbers, the newest, what waits.',
  right: 'read',
  input: () => nothing(),
  output: () => overviewShape,
  example: {},
  run: ({ stack }) => stack.health.overview(),
  text: (found, { page }) => overviewPage(found, page),
})

const overviewShape = z.strictObject({
  counts: shape.counts,
  total: shape.count,
  head: z.strictObject({ seq: shape.seq, hash: shape.text, time: shape.text }).nullable(),
  lately: z.strictObject({
    entries: shape.count,
    memories: shape.count,
    kinds: shape.counts,
    labels: shape.counts,
    tiers: shape.counts,
    strengths: shape.counts,
    dispositions: shape.counts,
  }),
  review: z.strictObject({ kinds: shape.counts, total: shape.count, hasMore: z.boolean() }),
})

const COUNTED = 'Captured, forgotten and set aside ones are counted, too: muniment list --all'

function statsPage(counts: Readonly<Record<string, number>>, { ink }: Page): readonly string[] {
  const { total = 0, ...kinds } = counts
  const rows = [...Object.entries(kinds), ['total', total] as const]
  const lines = table(
    rows.map(([kind, count]) => {
      const text = grouped(count)
      return [
        { text: kind, shown: kind === 'total' ? ink.strong(kind) : kind },
        { text, right: true as const },
      ]
    }),
  )
  return total === 0 ? lines : [...lines, ink.faint(COUNTED)]
}

const named = (counts: Readonly<Record<string, number>>, name = (each: string) => each): string =>
  Object.entries(counts)
    .map(([each, count]) => `${name(each)} ${grouped(count)}`)
    .join(', ')

/** The state of the stack, one line for each part. */
function overviewPage({ total, head, lately, review }: Overview, { now }: Page): readonly string[] {
  if (head === null) return ['Nothing is written here yet. Try: muniment note "…"']
  const waits = `${review.total}${review.hasMore ? ' and more' : ''}`
  const rows = [
    ['memories', grouped(total)],
    ['ledger', `entry ${head.seq}, ${age(head.time, now)}`],
    ['lately', `${plural(lately.memories, 'memory', 'memories')} in ${lately.entries} entries`],
    ['', named(lately.kinds)],
    ['', named(lately.labels)],
    ['', named(lately.tiers, (tier) => `tier ${tier}:`)],
    ['', named(lately.strengths)],
    ['waiting', review.total === 0 ? 'nothing' : `${waits}: ${named(review.kinds)}`],
  ]
  return table(rows.map((row) => row.map((text) => ({ text }))))
}
