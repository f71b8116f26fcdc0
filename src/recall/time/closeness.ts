import { DAY_MS } from '../../domain/time.ts'
import { yearOf } from './calendar.ts'
import type { TimeExpression } from './expressions.ts'

// People speak of events when they are over, and for longer than of coming events.
const FADES_AFTER_DAYS = 10
const FADES_BEFORE_DAYS = 4
/** A year holds too much to tell much: beyond this length a span's worth falls. */
const WHOLE_UP_TO_DAYS = 62

/** Closeness of a moment to a named time: 1 inside, falling outside. */
export function closeness(expression: TimeExpression, at: number): number {
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
