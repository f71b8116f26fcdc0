import { DAY_MS, toMs } from '../domain/time.ts'
import type { ComponentHost, StackComponent } from '../ports/component.ts'
import { UNCERTAIN_BELOW } from './metamemory.ts'

const MONTH_MS = 30.44 * DAY_MS
const MEMORIES_MAX = 100 // newest episodes and beliefs that are looked at
const VALUES_MAX = 10 // newest values and …
const IDENTITY_BELIEFS_MAX = 20 // … beliefs that say who this is

type Curve = readonly (readonly [at: number, score: number])[]

// Corners of the curves from a count to a score of 0 to 100.
const DEBT: Curve = [
  [0, 0],
  [3, 21],
  [7, 61],
  [15, 93],
  [29, 100],
] // episodes without a lesson
const UNCERTAINTY: Curve = [
  [0, 0],
  [2, 30],
  [5, 75],
  [10, 100],
] // uncertain beliefs
const STALENESS: Curve = [
  [0, 0],
  [6, 30],
  [12, 70],
  [18, 94],
  [24, 100],
] // months of one epoch

const WEIGHTS = {
  consolidationDebt: 3,
  identityCoherence: 2,
  memoryUncertainty: 2,
  epochStaleness: 2,
} as const

type Dimensions = { readonly [Name in keyof typeof WEIGHTS]?: number }

const LEVELS = [
  [30, 'calm'],
  [50, 'aware'],
  [70, 'elevated'],
  [85, 'high'],
] as const

/** Watches how well the memory is kept: 0 is at ease, 100 is in need. */
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
      const dimensions = host ? await measure(host) : {}
      const score = overall(dimensions)
      if (score !== null) context.anxiety = { level: levelOf(score), score, dimensions }
    },
  }
}

/** What there is nothing to measure by is left out: an empty stack is neither calm nor critical. */
async function measure(host: ComponentHost): Promise<Dimensions> {
  const episodes = await host.list('episode', { limit: MEMORIES_MAX })
  const beliefs = await host.list('belief', { limit: MEMORIES_MAX })
  const values = await host.list('value', { limit: VALUES_MAX })
  const [epoch] = await host.list('epoch', { limit: 1 })
  const untaught = episodes.filter(({ body }) => body.lessons.length === 0).length
  const uncertain = beliefs.filter(({ confidence }) => confidence < UNCERTAIN_BELOW).length
  const self = [...values, ...beliefs.slice(0, IDENTITY_BELIEFS_MAX)]
  const sureness = self.reduce((sum, { confidence }) => sum + confidence, 0) / self.length
  return {
    ...(episodes.length > 0 && { consolidationDebt: along(DEBT, untaught) }),
    ...(self.length > 0 && { identityCoherence: Math.round(100 * (1 - sureness)) }),
    ...(beliefs.length > 0 && { memoryUncertainty: along(UNCERTAINTY, uncertain) }),
    ...(epoch && {
      epochStaleness: along(STALENESS, (toMs(host.now()) - toMs(epoch.body.startedAt)) / MONTH_MS),
    }),
  }
}

/** The mean of what could be measured, by weight. */
function overall(dimensions: Dimensions): number | null {
  const names = Object.keys(dimensions) as (keyof Dimensions)[] // made of these names above
  if (names.length === 0) return null
  const weight = names.reduce((sum, name) => sum + WEIGHTS[name], 0)
  const total = names.reduce((sum, name) => sum + WEIGHTS[name] * (dimensions[name] ?? 0), 0)
  return Math.round(total / weight)
}

const levelOf = (score: number): string =>
  LEVELS.find(([scoreMax]) => score <= scoreMax)?.[1] ?? 'critical'

function along(curve: Curve, at: number): number {
  const next = curve.findIndex(([corner]) => at < corner)
  if (next < 0) return curve.at(-1)?.[1] ?? 0
  const [toAt, toScore] = curve[next] ?? [0, 0]
  const [fromAt, fromScore] = curve[next - 1] ?? [0, 0]
  if (toAt === fromAt) return fromScore
  return Math.round(fromScore + ((toScore - fromScore) * (at - fromAt)) / (toAt - fromAt))
}
