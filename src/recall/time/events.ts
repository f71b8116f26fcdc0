import { DAY_MS } from '../../domain/time.ts'
import { NUMBER_WORDS, numberOf, type Unit, yearOf } from './calendar.ts'
import { readTimes, type TimeExpression } from './expressions.ts'

/** A time counted from an event: "two weeks before the trip". */
export interface TimeByEvent {
  /** Units from the event; a negative number is before the event. */
  readonly steps: number
  readonly unit: Unit
  /** The event, in the words of the question. */
  readonly event: string
}

const EVENT_WORDS_MAX = 8
/** Words that begin another part of the question. */
const NEXT_PART =
  'and|or|but|then|what|who|whom|whose|where|when|which|why|how|did|do|does|is|are|was|were|has|have|had|can|could|should|will|would'
const WORD = `(?!(?:${NEXT_PART})\\b)[\\p{L}\\p{N}][\\p{L}\\p{N}'-]*`
const COUNTED = new RegExp(
  `(?<![\\p{L}\\p{N}])(${NUMBER_WORDS}|the) (day|week|month|year)s? (before|after) ` +
    `(${WORD}(?: ${WORD}){0,${EVENT_WORDS_MAX - 1}})`,
  'gu',
)

const NO_EVENT = /^(?:last|next|now|then|\d+)$/

/** The times of a question that depend on the time of an event. */
export function timesByEvents(text: string): readonly TimeByEvent[] {
  const { rest } = readTimes(text, 0)
  return [...rest.matchAll(COUNTED)].flatMap(([, count = '', unit, way, event = '']) => {
    if (NO_EVENT.test(event)) return []
    const steps = numberOf(count) * (way === 'before' ? -1 : 1)
    return [{ steps, unit: unit as Unit, event }] // the pattern names only units
  })
}

// People speak of events when they are over, and for longer than of coming events.
const FADES_AFTER_DAYS = 10
const FADES_BEFORE_DAYS = 4
/** A year holds too much to tell much: beyond this length a span's worth falls. */
const WHOLE_UP_TO_DAYS = 62

/** Closeness of a moment to a named time: 1 inside, falling outside. */
function closeness(expression: TimeExpression, at: number): number {
  if (expression.type === 'span') return spanCloseness(expression, at)
  const { month, day } = expression
  const year = yearOf(at)
  const each = [year - 1, year, year + 1].map((of) =>
    day === null
      ? { from: Date.UTC(of, month), to: Date.UTC(of, month + 1) }
      : { from: Date.UTC(of, month, day), to: Date.UTC(of, month, day) + DAY_MS },
  )
  return Math.max(...each.map((span) => spanCloseness(span, at)))
}

function spanCloseness(
  { from, to }: { readonly from: number; readonly to: number },
  at: number,
): number {
  const worth = Math.min(1, (WHOLE_UP_TO_DAYS * DAY_MS) / (to - from))
  if (at >= from && at < to) return worth
  const days = (at < from ? from - at : at - to) / DAY_MS
  return worth * Math.exp(-days / (at < from ? FADES_BEFORE_DAYS : FADES_AFTER_DAYS))
}

/** Closeness to the nearest of the named times; 0 without named times. */
export const nearest = (expressions: readonly TimeExpression[], at: number): number =>
  expressions.reduce((best, expression) => Math.max(best, closeness(expression, at)), 0)
