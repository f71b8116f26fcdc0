import { NUMBER_WORDS, numberOf, type Unit } from './calendar.ts'
import { readTimes } from './expressions.ts'

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
