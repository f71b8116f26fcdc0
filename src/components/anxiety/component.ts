import type { JsonObject } from '../../domain/kinds/json-value.ts'
import { DAY_MS, HOUR_MS, toMs } from '../../domain/time.ts'
import type { ComponentHost, StackComponent } from '../../ports/component.ts'
import { UNCERTAIN_BELOW } from '../metamemory.ts'
import { type Dimension, type Dimensions, overall, rawWeight, SCORES } from './scores.ts'

export const LEVELS = ['calm', 'aware', 'elevated', 'high', 'critical'] as const

export type Level = (typeof LEVELS)[number]

/** The highest score of each level but the last, for a first measurement. */
const TOPS = [30, 50, 70, 85] as const

/** Hysteresis: a level begins at the first score and ends below the second. */
const ENTERED_AT = [35, 55, 75, 90] as const
const LEFT_BELOW = [25, 45, 65, 80] as const

const isLevel = (value: unknown): value is Level => LEVELS.some((level) => level === value)

/** The level of a score, given the level before; null where none was known. */
export function levelAfter(score: number, before: Level | null): Level {
  if (before === null) {
    const first = TOPS.findIndex((top) => score <= top)
    return levelAt(first < 0 ? TOPS.length : first)
  }
  let at = LEVELS.indexOf(before)
  while (at < ENTERED_AT.length && score >= (ENTERED_AT[at] ?? Infinity)) at += 1
  while (at > 0 && score < (LEFT_BELOW[at - 1] ?? -Infinity)) at -= 1
  return levelAt(at)
}

const levelAt = (index: number): Level => LEVELS[index] ?? 'critical'

const MONTH_MS = 30.44 * DAY_MS
const AGED_MS = 24 * HOUR_MS // a capture older than this has aged
const MINUTE_MS = 60_000
const MEMORIES_MAX = 50 // newest episodes and beliefs that are looked at: more than are needed to be in need
const RAWS_MAX = 50 // oldest unprocessed captures; as many aged ones give the worst score
const VALUES_MAX = 10 // newest values and …
const IDENTITY_BELIEFS_MAX = 20 // beliefs about the agent's identity
const CHECKPOINT = 'checkpoint' // the tag of a saved working state

/** Input that only the caller knows: the fill of the model's context. */
interface ContextFill {
  readonly contextTokens: number | null
  readonly contextWindow: number | null
}

function toldIn({ contextTokens, contextWindow }: JsonObject): ContextFill {
  const countOr = (value: unknown): number | null =>
    typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
  return { contextTokens: countOr(contextTokens), contextWindow: countOr(contextWindow) }
}

/** Measures without data are left out: an empty stack is neither calm nor critical. */
async function measured(host: ComponentHost, told: ContextFill): Promise<Dimensions> {
  const nowMs = toMs(host.now())
  const episodes = await host.list('episode', { limit: MEMORIES_MAX, untouched: true })
  const beliefs = await host.list('belief', { limit: MEMORIES_MAX })
  const values = await host.list('value', { limit: VALUES_MAX })
  const raws = await host.waiting('raw', RAWS_MAX)
  const [epoch] = await host.list('epoch', { limit: 1 })
  const untaught = episodes.filter(
    ({ body }) => body.lessons.length === 0 && !body.tags?.includes(CHECKPOINT),
  )
  const uncertain = beliefs.filter(({ confidence }) => confidence < UNCERTAIN_BELOW)
  const self = [...values, ...beliefs.slice(0, IDENTITY_BELIEFS_MAX)]
  const sureness = self.reduce((sum, { confidence }) => sum + confidence, 0) / self.length
  const weigh = (list: typeof raws): number =>
    list.reduce((sum, { text }) => sum + rawWeight(text), 0)
  const aged = raws.filter(({ createdAt }) => nowMs - toMs(createdAt) > AGED_MS)
  const { contextTokens, contextWindow } = told
  const unsaved = await unsavedMinutes(host, nowMs)
  return {
    ...(contextTokens !== null &&
      contextWindow !== null &&
      contextWindow > 0 && {
        contextPressure: SCORES.contextPressure((100 * contextTokens) / contextWindow),
      }),
    ...(unsaved !== undefined && { unsavedWork: SCORES.unsavedWork(unsaved) }),
    ...(episodes.length > 0 && { consolidationDebt: SCORES.consolidationDebt(untaught.length) }),
    ...(raws.length > 0 && {
      rawAging: SCORES.rawAging({ total: weigh(raws), aged: weigh(aged) }),
    }),
    ...(self.length > 0 && { identityCoherence: SCORES.identityCoherence(sureness) }),
    ...(beliefs.length > 0 && { memoryUncertainty: SCORES.memoryUncertainty(uncertain.length) }),
    ...(epoch &&
      epoch.body.endedAt === undefined && {
        epochStaleness: SCORES.epochStaleness((nowMs - toMs(epoch.body.startedAt)) / MONTH_MS),
      }),
  }
}

/**
 * Minutes since the working state was saved, nought where nothing was done since; null where work was
 * done and no state was ever saved, undefined where there is no work.
 */
async function unsavedMinutes(
  host: ComponentHost,
  nowMs: number,
): Promise<number | null | undefined> {
  const [saved] = await host.list('note', { limit: 1, tags: [CHECKPOINT] })
  const newest = [
    ...(await host.list('raw', { limit: 1, untouched: true })),
    ...(await host.list('episode', { limit: 1, untouched: true })),
  ]
  if (newest.length === 0) return undefined
  if (!saved) return null
  const hasWorked = newest.some(({ createdAt }) => createdAt > saved.createdAt)
  return hasWorked ? (nowMs - toMs(saved.createdAt)) / MINUTE_MS : 0
}

/** Advice, for the worst measure first. */
interface Action {
  readonly dimension: Dimension
  readonly score: number
  readonly action: string
  readonly what: string
}

const WORRYING_ABOVE = 50 // scores that ask for an action

const HELPS: Readonly<Record<Dimension, readonly [action: string, what: string]>> = {
  contextPressure: ['checkpoint', 'Save the working state and begin with a fresh context.'],
  unsavedWork: ['checkpoint', 'Save the working state.'],
  consolidationDebt: ['process', 'Draw lessons from episodes that have none.'],
  rawAging: ['process', 'Make something of captures that have waited for more than a day.'],
  identityCoherence: ['verify', 'Find evidence for values and beliefs that are held loosely.'],
  memoryUncertainty: ['uncertain', 'Verify, correct or let go of what is uncertain.'],
  epochStaleness: ['epoch', 'Close the epoch and look back on it.'],
}

const actionsFor = (dimensions: Dimensions): readonly Action[] =>
  (Object.entries(dimensions) as [Dimension, number][]) // built from these names
    .filter(([, score]) => score > WORRYING_ABOVE)
    .sort(([, a], [, b]) => b - a)
    .map(([dimension, score]) => {
      const [action, what] = HELPS[dimension]
      return { dimension, score, action, what }
    })

const NOTHING_TOLD: ContextFill = { contextTokens: null, contextWindow: null }

/**
 * Measures memory health: 0 is well kept, 100 needs work. Maintenance records the level in the stack;
 * reading never does. The recorded level keeps the level stable from process to process.
 * @example
 * const stack = await openStack('demo', { path: ':memory:', components: [anxietyComponent()] })
 */
export function anxietyComponent(): StackComponent {
  let host: ComponentHost | null = null
  return {
    name: 'anxiety',
    version: '1.0.0',
    required: false,
    needsInference: false,
    attach: (given) => {
      host = given
    },
    onLoad: async (context) => {
      const found = host && (await looked(host, NOTHING_TOLD))
      if (found) context.anxiety = found
    },
    onMaintenance: async () => {
      const found = host && (await looked(host, NOTHING_TOLD))
      if (!host || !found) return null
      await host.keep({ level: found.level })
      return { level: found.level, score: found.score }
    },
    report: async (question) => host && (await looked(host, toldIn(question))),
  }
}

/** The measured level with recommended actions; null without anything to measure. */
async function looked(host: ComponentHost, told: ContextFill) {
  const dimensions = await measured(host, told)
  const score = overall(dimensions)
  if (score === null) return null
  const level = levelAfter(score, await levelBefore(host))
  const actions = actionsFor(dimensions).map((action): JsonObject => ({ ...action }))
  return { level, score, dimensions: { ...dimensions }, actions }
}

async function levelBefore(host: ComponentHost): Promise<Level | null> {
  const { level } = (await host.kept()) ?? {}
  return isLevel(level) ? level : null
}
