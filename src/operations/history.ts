import { z } from 'zod'
import { parseRef, splitRef } from '../domain/ids.ts'
import type { BeliefVersion, RelationshipEvent } from '../engine/history/histories.ts'
import type { Diff, Difference } from '../engine/history/history.ts'
import type { NumberChange } from '../engine/read/memory-view.ts'
import { type DoorContext, memoryAt, momentOf, readerOf } from './context.ts'
import { asOf } from './fields.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import type { Page } from './text/page.ts'
import { table } from './text/table.ts'
import { age, oneLine, shortRef } from './text/words.ts'
import { aboutOne } from './why.ts'

export const history = defineOperation({
  name: 'history',
  group: 'hidden',
  summary: 'How its numbers moved, and what stood in its place before and after.',
  right: 'read',
  input: () => aboutOne(),
  output: () => historyShape,
  example: { ref: 'belief' },
  run: (context, { ref }) => historyOf(context, ref),
  text: (history, { page }) => historyPage(history, page),
})

export const diff = defineOperation({
  name: 'diff',
  group: 'ledger',
  summary: 'What was learnt, lost and changed between two moments.',
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

/** All changed numbers, and the later fate of beliefs and relationships. */
interface History {
  readonly ref: string
  readonly confidence: readonly NumberChange[]
  readonly strength: readonly NumberChange[]
  readonly versions: readonly BeliefVersion[]
  readonly events: readonly RelationshipEvent[]
}

async function historyOf(context: DoorContext, given: string): Promise<History> {
  const { stack } = context
  const reader = readerOf(context)
  const { ref, confidenceHistory } = await memoryAt(stack, given, reader)
  const { kind, id } = splitRef(parseRef(ref))
  const versions = kind === 'belief' ? await stack.history.belief(ref, reader) : []
  return {
    ref,
    confidence: confidenceHistory,
    strength: await stack.history.strength(ref, reader),
    versions,
    events: kind === 'relationship' ? await stack.history.relationship(id, reader) : [],
  }
}

const NOW = Number.MAX_SAFE_INTEGER // beyond any last entry

const differenceShape = z.strictObject({
  ref: shape.text,
  before: shape.memory.nullable(),
  after: shape.memory.nullable(),
  members: shape.list(shape.text),
})

const historicShape = z.union([shape.text, shape.number]).nullable()

const historyShape = z.strictObject({
  ref: shape.text,
  confidence: shape.list(shape.numberChange),
  strength: shape.list(shape.numberChange),
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

function historyPage(history: History, page: Page): readonly string[] {
  const { ink, now } = page
  const { confidence, strength, versions, events } = history
  const places =
    versions.length < 2
      ? []
      : [
          ink.strong('Beliefs in this place, oldest first'),
          ...versions.map(
            ({ memory, heldFrom, heldUntil }) =>
              `  ${ink.ref(shortRef(memory.ref))}  ${oneLine(memory.text)}  ${ink.faint(
                `${age(heldFrom, now)} – ${heldUntil === null ? 'now' : age(heldUntil, now)}`,
              )}`,
          ),
        ]
  const changed = events.map(
    ({ eventType, old, new: to, time }) =>
      `  ${eventType.replace('_', ' ')}  ${oneLine(String(old))} → ${oneLine(String(to))}  ${age(time, now)}`,
  )
  const lines = [
    ...places,
    ...numbersOf('Confidence', confidence, page),
    ...numbersOf('Strength', strength, page),
    ...(changed.length === 0 ? [] : [ink.strong('What changed'), ...changed]),
  ]
  return lines.length === 0 ? ['Nothing about it has changed since it was written.'] : lines
}

function numbersOf(
  title: string,
  changes: readonly NumberChange[],
  { ink, now }: Page,
): readonly string[] {
  if (changes.length === 0) return []
  const rows = changes.map(({ old, new: to, reason, text, time, evidence }) => [
    { text: `  ${old.toFixed(3)} → ${to.toFixed(3)}` },
    { text: reason.replace('memory.', '') },
    { text: age(time, now) },
    { text: text === null ? '' : `“${oneLine(text)}”` },
    { text: evidence.map(shortRef).join(' ') },
  ])
  return [ink.strong(title), ...table(rows)]
}

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
