/** A number with the counted thing. Two quantities of the same dimension are comparable. */
export interface Quantity {
  readonly value: number
  readonly dimension: string
}

const NUMBER_WORDS: readonly string[] = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
  'sixteen seventeen eighteen nineteen twenty'
).split(' ')

const ROUND_NUMBERS: Readonly<Record<string, number>> = {
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  thousand: 1_000,
  million: 1_000_000,
}

const DAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ')
const MONTHS =
  'january february march april may june july august september october november december'.split(' ')

/** Dimension, factor to the base unit, and the unit's names. */
const UNITS: readonly (readonly [dimension: string, factor: number, names: string])[] = [
  ['time', 0.001, 'ms millisecond milliseconds'],
  ['time', 1, 's sec second seconds'],
  ['time', 60, 'min mins minute minutes'],
  ['time', 3_600, 'h hr hrs hour hours'],
  ['time', 86_400, 'day days'],
  ['time', 604_800, 'week weeks'],
  ['months', 1, 'month months'],
  ['months', 12, 'year years yr yrs'],
  ['length', 0.001, 'mm'],
  ['length', 0.01, 'cm'],
  ['length', 1, 'm meter meters metre metres'],
  ['length', 1_000, 'km kilometer kilometers kilometre kilometres'],
  ['length', 1_609.344, 'mile miles'],
  ['length', 0.3048, 'ft foot feet'],
  ['mass', 0.001, 'g gram grams'],
  ['mass', 1, 'kg kilo kilos kilogram kilograms'],
  ['mass', 0.453_592_37, 'lb lbs pound pounds'],
  ['data', 1, 'b byte bytes'],
  ['data', 1_000, 'kb kilobyte kilobytes'],
  ['data', 1_000_000, 'mb megabyte megabytes'],
  ['data', 1_000_000_000, 'gb gigabyte gigabytes'],
  ['data', 1_000_000_000_000, 'tb terabyte terabytes'],
  ['percent', 1, '% percent'],
  ['usd', 1, '$ dollar dollars usd'],
  ['eur', 1, '€ euro euros eur'],
  ['gbp', 1, '£ gbp'],
]

const unitOf = new Map(
  UNITS.flatMap(([dimension, factor, names]) =>
    names.split(' ').map((name) => [name, { dimension, factor }] as const),
  ),
)

/** Day and month names as numbers. */
const namedTimes = new Map<string, Quantity>([
  ...DAYS.map((name, value) => [name, { value, dimension: 'day of the week' }] as const),
  ...MONTHS.map((name, value) => [name, { value, dimension: 'month of the year' }] as const),
])

const CLOCK_TIME = /^(\d{1,2}):(\d{2})$/
const DIGITS = /^\d+(?:,\d{3})*(?:\.\d+)?$/
const VERSION = /^\d{1,3}(?:\.\d{1,3}){2,3}$/
const DATE = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/

interface QuantityMatch {
  readonly quantity: Quantity
  readonly length: number
}

/** The quantity that begins at this word, with its length in words. */
export function quantityAt(words: readonly string[], at: number): QuantityMatch | null {
  const word = words[at] ?? ''
  const named = namedTimes.get(word)
  // "may" is a month only after a preposition of time.
  if (named && (word !== 'may' || /^(?:in|of|since|until|by)$/.test(words[at - 1] ?? '')))
    return { quantity: named, length: 1 }
  const special = dateOf(word) ?? versionOf(word) ?? clockTime(word, words[at + 1])
  if (special) return special
  const sign = unitOf.get(word)
  const value = numberOf(words[sign === undefined ? at : at + 1] ?? '')
  if (value === null || (sign && !/^[$€£]$/.test(word))) return null
  if (sign) return { quantity: { value, dimension: sign.dimension }, length: 2 }
  const unit = unitOf.get(words[at + 1] ?? '')
  if (!unit) return { quantity: { value, dimension: 'count' }, length: 1 }
  const { dimension, factor } = unit
  return { quantity: { value: value * factor, dimension }, length: 2 }
}

function numberOf(word: string): number | null {
  if (DIGITS.test(word)) return Number(word.replaceAll(',', ''))
  const small = NUMBER_WORDS.indexOf(word)
  if (small >= 0) return small
  return Object.hasOwn(ROUND_NUMBERS, word) ? (ROUND_NUMBERS[word] ?? null) : null
}

/** 1.5.2 and 10.0.0.1: parts of up to three digits, folded into one number without overlap. */
function versionOf(word: string): QuantityMatch | null {
  if (!VERSION.test(word)) return null
  const parts = word.split('.').map(Number)
  const value = parts.reduce((sum, part) => sum * 1_000 + part, 0)
  return { quantity: { value, dimension: `version of ${parts.length} parts` }, length: 1 }
}

function dateOf(word: string): QuantityMatch | null {
  const [, year, month, day] = DATE.exec(word) ?? []
  if (year === undefined) return null
  const value = Date.UTC(Number(year), Number(month) - 1, Number(day))
  return { quantity: { value, dimension: 'date' }, length: 1 }
}

function clockTime(word: string, next: string | undefined): QuantityMatch | null {
  const half = next === 'am' || next === 'pm' ? next : null
  const [, hour, minute] = CLOCK_TIME.exec(word) ?? (half && /^(\d{1,2})()$/.exec(word)) ?? []
  if (hour === undefined) return null
  const hours = half === null ? Number(hour) : (Number(hour) % 12) + (half === 'pm' ? 12 : 0)
  const value = hours * 60 + Number(minute || 0)
  return { quantity: { value, dimension: 'time of day' }, length: half === null ? 1 : 2 }
}
