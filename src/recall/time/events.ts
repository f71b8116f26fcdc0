import { foldText } from '../../domain/fold-text.ts'
import { NUMBER_WORDS, numberOf, type Unit } from './calendar.ts'
import { TEXT_CHARS_MAX, timeExpressions } from './expressions.ts'

/** A time that is counted from something that happened: "two weeks before the trip". */
export interface TimeByEvent {
  /** Units from the event; fewer than none is before it. */
  readonly steps: number
  readonly unit: Unit
  /** What happened, in the words of the question. */
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

/** The times of a question that nobody can tell without knowing when something happened. */
export function timesByEvents(text: string): readonly TimeByEvent[] {
  const plain = foldText(text.slice(0, TEXT_CHARS_MAX)).replace(/\s+/g, ' ')
  return [...plain.matchAll(COUNTED)].flatMap(([, count = '', unit, way, event = '']) => {
    const isDate = timeExpressions(event, 0).length > 0
    if (isDate) return []
    const steps = numberOf(count) * (way === 'before' ? -1 : 1)
    return [{ steps, unit: unit as Unit, event }] // the pattern names only units
  })
}
