import { once } from '../../domain/errors.ts'
import { foldText } from '../../domain/words/terms.ts'
import {
  countedFrom,
  daySpan,
  MONTHS,
  monthIn,
  monthOf,
  monthSpan,
  moved,
  NUMBER_WORDS,
  numberOf,
  type Span,
  seasonMonth,
  type Unit,
  unitSpan,
  WEEKDAYS,
  yearOf,
  yearSpan,
} from './calendar.ts'

/** A named time in a text: a span, or a day or month of every year. */
export type TimeExpression =
  | ({ readonly type: 'span' } & Span)
  | { readonly type: 'yearly'; readonly month: number; readonly day: number | null }

const YEAR = '((?:19|20)\\d\\d)'
const MONTH = `(${MONTHS.join('|')}|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\b\\.?)`
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?'
const SEASON = '(spring|summer|autumn|fall|winter)'
const UNIT = '(day|week|month|year)s?'
const WEEKDAY = `(${WEEKDAYS.join('|')})`
const PART = '(early|mid|middle of|late|beginning of|start of|end of)'

type Groups = readonly string[]
type Read = (groups: Groups, now: number) => TimeExpression | null

const span = ({ from, to }: Span): TimeExpression => ({ type: 'span', from, to })
const month = (name: string): number => monthOf(name.replace('.', ''))

function dateOf(year: string, at: number, day: string): TimeExpression | null {
  const number = Number(day)
  return number >= 1 && number <= 31 ? span(daySpan(Number(year), at, number)) : null
}

function yearly(at: number, day: string): TimeExpression | null {
  const number = Number(day)
  return number >= 1 && number <= 31 ? { type: 'yearly', month: at, day: number } : null
}

/** A third of a month or a year: early, middle or late. */
function partOf(part: string, { from, to }: Span): Span {
  const third = (to - from) / 3
  if (/^(?:early|beginning|start)/.test(part)) return { from, to: from + third }
  if (part.startsWith('mid')) return { from: from + third, to: to - third }
  return { from: to - third, to }
}

/** The latest month with this name that has begun. */
function latestMonth(at: number, now: number): Span {
  const year = yearOf(now)
  return monthSpan(at <= monthIn(now) ? year : year - 1, at)
}

function lastMonthNamed(at: number, now: number): Span {
  const year = yearOf(now)
  return monthSpan(at < monthIn(now) ? year : year - 1, at)
}

function seasonSpan(name: string, year: number): Span {
  return monthSpan(year, seasonMonth(name) ?? 0, 3)
}

function lastSeason(name: string, now: number): Span {
  const year = yearOf(now)
  return [year, year - 1, year - 2]
    .map((of) => seasonSpan(name, of))
    .find(({ to }) => to <= now) as Span // two years back every season is over
}

function weekdayBefore(name: string, now: number): Span {
  const today = unitSpan(now, 'day')
  const back = (new Date(now).getUTCDay() - WEEKDAYS.indexOf(name) + 6) % 7
  return unitSpan(moved(today.from, -(back + 1), 'day'), 'day')
}

/** The unit before, around or after `now`. */
function unitBeside(which: string, unit: string, now: number): Span {
  const step = which === 'this' ? 0 : which === 'next' ? 1 : -1
  return unitSpan(moved(now, step, unit as Unit), unit as Unit) // the pattern names only units
}

function betweenDays(groups: Groups): TimeExpression | null {
  const [firstName = '', firstDay = '', lastName = '', lastDay = '', year = ''] = groups
  const first = dateOf(year, month(firstName), firstDay)
  const last = dateOf(year, lastName === '' ? month(firstName) : month(lastName), lastDay)
  if (first?.type !== 'span' || last?.type !== 'span' || last.to <= first.from) return null
  return span({ from: first.from, to: last.to })
}

/** Longest first: a reader takes its words away from all later readers. */
const READERS = [
  [`(?:between|from) ${MONTH} ${DAY} (?:and|to|until) ${MONTH}? ?${DAY},? ${YEAR}`, betweenDays],
  [`${YEAR}-(\\d\\d)-(\\d\\d)`, ([y = '', m = '', d = '']) => dateOf(y, Number(m) - 1, d)],
  [`${DAY} (?:of )?${MONTH},? ${YEAR}`, ([d = '', m = '', y = '']) => dateOf(y, month(m), d)],
  [`${MONTH} ${DAY},? ${YEAR}`, ([m = '', d = '', y = '']) => dateOf(y, month(m), d)],
  [
    `(first|second) half of ${MONTH},? ${YEAR}`,
    ([half = '', m = '', y = '']) => {
      const { from, to } = monthSpan(Number(y), month(m))
      const middle = (from + to) / 2
      return span(half === 'first' ? { from, to: middle } : { from: middle, to })
    },
  ],
  [
    `${PART} ${MONTH},? ${YEAR}`,
    ([part = '', m = '', y = '']) => span(partOf(part, monthSpan(Number(y), month(m)))),
  ],
  [`${MONTH},? (?:of )?${YEAR}`, ([m = '', y = '']) => span(monthSpan(Number(y), month(m)))],
  [`${SEASON},? (?:of )?${YEAR}`, ([name = '', y = '']) => span(seasonSpan(name, Number(y)))],
  [`${PART} ${YEAR}`, ([part = '', y = '']) => span(partOf(part, yearSpan(Number(y))))],
  [`${DAY} (?:of )?${MONTH}`, ([d = '', m = '']) => yearly(month(m), d)],
  [`${MONTH} ${DAY}(?![\\d:])`, ([m = '', d = '']) => yearly(month(m), d)],
  [`last ${MONTH}`, ([m = ''], now) => span(lastMonthNamed(month(m), now))],
  [`this ${MONTH}`, ([m = ''], now) => span(latestMonth(month(m), now))],
  [`last ${SEASON}`, ([name = ''], now) => span(lastSeason(name, now))],
  [`(?:last|on) ${WEEKDAY}`, ([name = ''], now) => span(weekdayBefore(name, now))],
  [
    `(${NUMBER_WORDS}) ${UNIT} ago`,
    ([count = '', unit = ''], now) =>
      span(unitSpan(moved(now, -numberOf(count), unit as Unit), unit as Unit)), // the pattern names only units
  ],
  [
    `(last|this|past|previous|next) ${UNIT}`,
    ([which = '', unit = ''], now) => span(unitBeside(which, unit, now)),
  ],
  [
    `(?:the )?${UNIT} before last`,
    ([unit = ''], now) => span(unitSpan(moved(now, -2, unit as Unit), unit as Unit)), // the pattern names only units
  ],
  ['(yesterday)', (_, now) => span(unitBeside('last', 'day', now))],
  ['(today|tonight)', (_, now) => span(unitBeside('this', 'day', now))],
  ['(tomorrow)', (_, now) => span(unitBeside('next', 'day', now))],
  // May alone is as often a name or a verb, so the month needs a year or a preposition.
  [
    `(?:in|during|of|by|since|until|around|early|mid|late) ${MONTH}`,
    ([m = '']) => ({ type: 'yearly', month: month(m), day: null }),
  ],
  [`(?:in|during|of|by|since|until|around|for) ${YEAR}`, ([y = '']) => span(yearSpan(Number(y)))],
] satisfies readonly (readonly [source: string, read: Read])[]

const readers = once((): readonly (readonly [pattern: RegExp, read: Read])[] =>
  READERS.map(([source, read]) => [
    new RegExp(`(?<![\\p{L}\\p{N}])${source}(?![\\p{L}\\p{N}])`, 'gu'),
    read,
  ]),
)

const TEXT_CHARS_MAX = 2_000 // of a question; dates stand near the beginning

/** A folded question, and the rest of the text after removing times. */
export interface ReadTimes {
  readonly times: readonly TimeExpression[]
  readonly rest: string
}

/**
 * The times that a question names, relative times counted from `now`. `timesByEvents` reads times
 * that depend on an event ("two weeks before the trip").
 */
export const timeExpressions = (text: string, now: number): readonly TimeExpression[] =>
  readTimes(text, now).times

export function readTimes(text: string, now: number): ReadTimes {
  let rest = foldText(text.slice(0, TEXT_CHARS_MAX)).replace(/\s+/g, ' ')
  const times: TimeExpression[] = []
  for (const [pattern, read] of readers()) {
    rest = rest.replace(pattern, (whole: string, ...groups: unknown[]) => {
      const texts = groups.slice(0, -2).map((group) => (typeof group === 'string' ? group : ''))
      const expression = read(texts, now)
      if (expression === null) return whole
      const [at, all] = groups.slice(-2) as [number, string] // what follows the groups
      times.push(shifted(expression, all.slice(0, at)))
      return ' ; '
    })
  }
  return { times, rest }
}

const SHIFT = once(
  () => new RegExp(`(?<![\\p{L}\\p{N}])(${NUMBER_WORDS}|the) ${UNIT} (before|after) $`, 'u'),
)
const SHIFT_CHARS_MAX = 40

/** "Two weeks before 8 May 2023", "the day before yesterday": counts from the named time. */
function shifted(expression: TimeExpression, before: string): TimeExpression {
  const [, count, unit, way] = SHIFT().exec(before.slice(-SHIFT_CHARS_MAX)) ?? []
  if (expression.type !== 'span' || count === undefined) return expression
  const steps = numberOf(count) * (way === 'before' ? -1 : 1)
  return span(countedFrom(expression.from, steps, unit as Unit)) // the pattern names only units
}
