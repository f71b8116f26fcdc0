import { z } from 'zod'
import { DAY_MS } from '../domain/time.ts'
import { LIFECYCLE_STATES } from '../domain/vocabulary.ts'
import type { Forgetting } from '../engine/change/changes.ts'
import type { ClockCorrection, ClockStatus } from '../engine/write/clock.ts'
import { given } from './context.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import type { Page } from './text/page.ts'
import { table } from './text/table.ts'
import { oneLine, plural, shortRef } from './text/words.ts'

export const maintain = defineOperation({
  name: 'maintain',
  group: 'stack',
  summary: 'Run due upkeep: tallies, expiry, dormant memories, components.',
  // Its sweep lets go of first-hand memories in the host's name, which no model may ask of it.
  right: 'person',
  falls: { field: 'dryRun', right: 'read' },
  input: () =>
    z.strictObject({
      dryRun: z.boolean().default(false).describe('Only say what would be forgotten.'),
    }),
  output: () => z.union([sweptShape, z.record(z.string(), shape.open)]),
  example: {},
  notes: [
    'Safe to repeat: a second run finds nothing to do.',
    'Only a person can do it, at a terminal or with a token; anyone may ask for --dry-run.',
  ],
  examples: ['muniment stack maintain --dry-run'],
  progress: 'parts',
  run: async ({ stack, onProgress, capturesKeptDays }, { dryRun }) =>
    dryRun
      ? stack.applyForgetting({ dryRun })
      : stack.maintenance(given({ onProgress, capturesKeptDays })),
  text: (result, { page }) =>
    isForgetting(result) ? wouldForgetPage(result, page) : maintainedPage(result),
})

export const clock = defineOperation({
  name: 'clock',
  group: 'stack',
  summary: 'Compare the clock with the ledger; with correct, a person confirms the clock.',
  right: 'read',
  rises: { field: 'correct', right: 'person' },
  input: () =>
    z.strictObject({
      correct: z
        .boolean()
        .default(false)
        .describe('Let times follow the clock again: one entry says so.'),
    }),
  output: () =>
    z.strictObject({
      now: shape.text,
      last: shape.maybe,
      aheadMs: shape.count,
      fault: z.enum(['behind', 'ahead']).nullable(),
      entry: shape.entry.nullable(),
    }),
  example: {},
  notes: [
    'Only a person corrects; anyone may look. Times then follow the clock again, back or ahead.',
    'What was dated before keeps its dates, and the audit accepts the step at that entry alone.',
  ],
  run: async ({ stack, caller }, { correct }) =>
    correct ? stack.health.correctClock(caller) : { ...(await stack.health.clock()), entry: null },
  text: clockPage,
})

export const state = defineOperation({
  name: 'state',
  group: 'stack',
  summary: 'The lifecycle state; a person can change it.',
  right: 'read',
  rises: { field: 'to', right: 'person' },
  input: () =>
    z.strictObject({
      to: z.enum(LIFECYCLE_STATES).optional().describe('The state to go to.'),
    }),
  output: () => z.strictObject({ state: z.enum(LIFECYCLE_STATES), entry: shape.entry.nullable() }),
  example: {},
  places: ['to'],
  notes: ['Only a person can change it; anyone may look.'],
  run: async ({ stack, caller }, { to }) =>
    to === undefined
      ? { state: await stack.control.getState(), entry: null }
      : stack.control.setState(to, caller),
  text: ({ state, entry }) => [entry === null ? state : `${state}, since entry ${entry.seq}`],
})

const isForgetting = (result: object): result is Forgetting => 'swept' in result

const sweptShape = z.strictObject({
  swept: shape.count,
  forgotten: shape.count,
  kept: shape.count,
  refs: shape.refs,
})

type Stats = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const maintainedPage = (stats: Stats): readonly string[] =>
  table(
    Object.entries(stats).map(([component, done]) => [
      { text: component },
      {
        text: oneLine(
          Object.entries(done)
            .map(
              ([name, value]) =>
                `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
            )
            .join(', '),
        ),
      },
    ]),
  )

const wouldForgetPage = ({ refs, kept }: Forgetting, { ink }: Page): readonly string[] => [
  `${plural(refs.length, 'memory', 'memories')} would be forgotten; ${kept} dormant ones stay.`,
  ...refs.map((ref) => `  ${ink.ref(shortRef(ref))}`),
]

/** Clocks of two machines may differ by this much without a fault. */
const SKEW_MS = 60_000

const HOUR_MS = 3_600_000

const MINUTE_MS = 60_000

export const isInFuture = ({ aheadMs }: ClockStatus): boolean => aheadMs > SKEW_MS

/** A duration in its largest unit. */
function stretchOf(ms: number): string {
  if (ms >= 2 * DAY_MS) return plural(Math.floor(ms / DAY_MS), 'day')
  if (ms >= 2 * HOUR_MS) return plural(Math.floor(ms / HOUR_MS), 'hour')
  return plural(Math.floor(ms / MINUTE_MS), 'minute')
}

export const CORRECT_HINT =
  'If this clock is wrong, set it. If it is right, a person corrects the stack: muniment stack clock --correct'

/** Compares the last entry's time with the clock, in a sentence. */
export function clockSentence(status: ClockStatus): string {
  const { last, now, aheadMs, fault } = status
  if (last === null) return 'Nothing was written yet.'
  if (isInFuture(status)) {
    const effect = fault === null ? '' : '; nothing can be written'
    return `The last entry is dated ${last}, ${stretchOf(aheadMs)} in the future of this clock${effect}.`
  }
  if (fault === 'ahead') {
    return `The clock reads ${now}, years after the last entry (${last}); nothing can be written.`
  }
  return `The clock agrees with the last entry (${last}).`
}

function clockPage(status: ClockCorrection): readonly string[] {
  const { now, last, entry } = status
  if (entry !== null) {
    return [
      `Corrected in entry ${entry.seq}: the clock is right, and times follow it again.`,
      `  from ${last} to ${now}; what was dated before keeps its dates`,
    ]
  }
  const isWrong = isInFuture(status) || status.fault !== null
  return [clockSentence(status), ...(isWrong ? [`  ${CORRECT_HINT}`] : [])]
}
