/** Corners of a piecewise linear curve from a measure to a score. */
type Curve = readonly (readonly [at: number, score: number])[]

const CONTEXT: Curve = [
  [0, 0],
  [50, 30],
  [70, 60],
  [85, 90],
  [100, 100],
]
const UNSAVED: Curve = [
  [0, 0],
  [15, 30],
  [60, 80],
  [120, 100],
]
const DEBT: Curve = [
  [0, 0],
  [3, 21],
  [7, 61],
  [15, 93],
  [29, 100],
]
const AGED: Curve = [
  [0, 30],
  [3, 75],
  [7, 92],
  [15, 100],
]
const UNCERTAINTY: Curve = [
  [0, 0],
  [2, 30],
  [5, 75],
  [10, 100],
]
const STALENESS: Curve = [
  [0, 0],
  [6, 30],
  [12, 70],
  [18, 94],
  [24, 100],
]

const NEVER_SAVED = 50 // work of which no state was ever saved
const FRESH_RAW_SCORE = 3 // for each recent capture
const FRESH_RAW_SCORE_MAX = 30 // … up to this

/** Each from 0, at ease, to 100, in need; more of what is measured never scores less. */
export const SCORES = {
  /** Used share of the model's context, in per cent. */
  contextPressure: (percent: number): number => along(CONTEXT, percent),
  /** Minutes of work since the working state was saved; null when it never was. */
  unsavedWork: (minutes: number | null): number =>
    minutes === null ? NEVER_SAVED : along(UNSAVED, minutes),
  /** Episodes without a lesson. */
  consolidationDebt: (episodes: number): number => along(DEBT, episodes),
  /** Unprocessed captures, recent and aged; long captures count more. */
  rawAging: ({ total, aged }: { readonly total: number; readonly aged: number }): number =>
    aged > 0
      ? along(AGED, aged)
      : Math.min(FRESH_RAW_SCORE_MAX, whole(FRESH_RAW_SCORE * Math.max(0, total))),
  /** Confidence in values and beliefs about identity. */
  identityCoherence: (confidence: number): number => whole(100 * (1 - clamped(confidence))),
  /** Number of beliefs with low confidence. */
  memoryUncertainty: (beliefs: number): number => along(UNCERTAINTY, beliefs),
  /** Months since the open epoch began; null without an open epoch. */
  epochStaleness: (months: number | null): number =>
    months === null ? 0 : along(STALENESS, months),
} as const

export type Dimension = keyof typeof SCORES

/** Hundredths of the whole. */
export const WEIGHTS: Readonly<Record<Dimension, number>> = {
  contextPressure: 25,
  unsavedWork: 20,
  consolidationDebt: 15,
  rawAging: 10,
  identityCoherence: 10,
  memoryUncertainty: 10,
  epochStaleness: 10,
}

export type Dimensions = Readonly<Partial<Record<Dimension, number>>>

/** The mean of what could be measured, by weight; null where nothing could. */
export function overall(dimensions: Dimensions): number | null {
  const measured = Object.entries(dimensions) as [Dimension, number][] // built from these names
  if (measured.length === 0) return null
  const weight = measured.reduce((sum, [name]) => sum + WEIGHTS[name], 0)
  return whole(measured.reduce((sum, [name, score]) => sum + WEIGHTS[name] * score, 0) / weight)
}

/** The weight of a capture by its length: a short capture takes little work. */
export const rawWeight = (text: string): number =>
  text.length < SHORT_CHARS ? 0.3 : text.length <= MEDIUM_CHARS ? 0.7 : 1

const SHORT_CHARS = 20
const MEDIUM_CHARS = 200

const clamped = (share: number): number => Math.max(0, Math.min(1, share))

/** Rounds a score to a whole number, and evens out errors of floating point first. */
const whole = (score: number): number => Math.floor(score + 1e-9)

function along(curve: Curve, at: number): number {
  const next = curve.findIndex(([corner]) => at < corner)
  const [firstScore, lastScore] = [curve[0]?.[1] ?? 0, curve.at(-1)?.[1] ?? 0]
  if (next < 0) return lastScore
  const [fromAt, fromScore] = curve[next - 1] ?? [0, firstScore]
  const [toAt, toScore] = curve[next] ?? [0, lastScore]
  if (next === 0) return firstScore
  return whole(fromScore + ((toScore - fromScore) * (at - fromAt)) / (toAt - fromAt))
}
