import { areOpposite, countSaid, sameWord } from '../domain/words/sentence-words.ts'
import { FUNCTION_WORDS, termsOf } from '../domain/words/terms.ts'
import { type DeniedDeed, deniedDeeds, tellsOf } from './never.ts'
import { readStatement, type Statement } from './statement.ts'

/**
 * Verbs that take a single value at a time. Past and present count as two verbs: people move and
 * marry.
 */
const SINGLE_VALUED = [
  'prefers?',
  '(?:lives?|resides?) (?:in|at)',
  'works? (?:at|for|as)',
  '(?:is|are) (?:located|based|headquartered) (?:in|at)',
  '(?:is|are) (?:married|engaged) to',
  '(?:is|are|was|were) (?:named|called)',
  '(?:belongs?|reports?) to',
  'identifies as',
  '(?:was|were) born (?:in|on|at)',
  '(?:was|were) (?:founded|written|invented|designed|built|painted) (?:in|on|by)',
  'died (?:in|on|at|of)',
  'graduated from',
]
/** Nouns with a single value, so that "is" after the noun gives the value. */
const SINGLE_THINGS =
  'name favorite favourite capital birthday birthplace hometown address email password deadline ' +
  'version status port owner manager boss ceo husband wife spouse mother father employer job title ' +
  'nationality currency timezone default location'

const VERB = new RegExp(`(?<= )(?:${SINGLE_VALUED.join('|')})(?= )`, 'du')
const COPULA = new RegExp(`\\b(?:${SINGLE_THINGS.replaceAll(' ', '|')})\\b.*? (is|are)(?= )`, 'du')
const SEVERAL = /(?:^| )(?:and|or|also|too|with|sometimes|often|,|;)(?: |$)/u
const VALUE_TERMS_MAX = 4 // a longer ending holds more than one value
const SCORE = 0.7 // two words may name the same thing, and words alone cannot show this

/** Equal beginnings, a verb with a single value, and different values. */
function valueContradiction(left: Statement, right: Statement): Contradiction | null {
  if (left.quantities.length > 0 || right.quantities.length > 0) return null
  const ours = split(left.words)
  const theirs = split(right.words)
  if (ours === null || theirs === null || ours.frame !== theirs.frame) return null
  if (ours.value.some((term) => theirs.value.includes(term))) return null
  const evidence = `${ours.value.join(' ')} against ${theirs.value.join(' ')}`
  return { kind: 'value', score: SCORE, evidence }
}

/** A statement as a frame and the value in the frame. */
function split(
  words: readonly string[],
): { readonly frame: string; readonly value: readonly string[] } | null {
  const text = words.join(' ')
  const span = VERB.exec(text)?.indices?.[0] ?? COPULA.exec(text)?.indices?.[1]
  if (span === undefined) return null
  const [start, end] = span
  const rest = text.slice(end)
  const value = contentOf(rest)
  if (value.length === 0 || value.length > VALUE_TERMS_MAX || SEVERAL.test(rest)) return null
  const before = text.slice(0, start)
  // "I prefer tea": a pronoun is enough as a subject when no other words are there.
  const subject = contentOf(before).length > 0 ? contentOf(before) : termsOf(before)
  return { frame: [...subject, '|', ...termsOf(text.slice(start, end))].join(' '), value }
}

function contentOf(text: string): readonly string[] {
  return text
    .split(' ')
    .filter((word) => !FUNCTION_WORDS.has(word))
    .flatMap(termsOf)
    .map(sameWord)
}

export interface Contradiction {
  readonly kind: 'negation' | 'opposition' | 'number' | 'value'
  /** 0 to 1: confidence that the two statements contradict each other. */
  readonly score: number
  /** An explanation in words. */
  readonly evidence: string
}

export const STATEMENT_CHARS_MAX = 2_000 // a longer text is an account, not a statement
const DENIED_SHARE_MIN = 0.75 // share of the words after "not" that the other side says
const DENIED_WHOLLY_MIN = 0.8 // share of the words after "no", "without" or "nobody" that the other side says
const DENIED_PART_MIN = 0.4 // share of the words after "not", when the other side says nothing else
const OPPOSED_SHARE_MIN = 0.75 // share of both sides, beside the two contraries
const COUNTED_SHARE_MIN = 0.8 // share of both sides, beside the numbers
const HEDGE_FACTOR = 0.6 // a "might" lowers the score by this factor

/**
 * The contradiction between two statements, judged by their words alone; null when the words show
 * none.
 */
export const contradictionBetween = (a: string, b: string): Contradiction | null =>
  contradictionsOf(a)(b)

/** Reads one statement once, to compare the statement with many others. */
export function contradictionsOf(a: string): (b: string) => Contradiction | null {
  const left = a.length > STATEMENT_CHARS_MAX ? null : readStatement(a)
  const deeds = deniedDeeds(a)
  return (b) => {
    const plain = left && b.length <= STATEMENT_CHARS_MAX ? between(left, readStatement(b)) : null
    return plain ?? toldDeed(deeds, b) ?? toldDeed(deniedDeeds(b), a)
  }
}

/** "I have never tested the form" against a text in which the speaker tests the form. */
function toldDeed(deeds: readonly DeniedDeed[], told: string): Contradiction | null {
  for (const deed of deeds) {
    const evidence = tellsOf(told, deed)
    if (evidence !== null)
      return { kind: 'negation', score: SCORE, evidence: `never against "${evidence}"` }
  }
  return null
}

function between(left: Statement, right: Statement): Contradiction | null {
  if (left.former !== right.former) return null // a former state may have ended
  const found = judged(left, right)
  if (found === null || !(left.hedged || right.hedged)) return found
  return { ...found, score: found.score * HEDGE_FACTOR }
}

function judged(left: Statement, right: Statement): Contradiction | null {
  const contraries = contrariesIn(left, right)
  const apart = left.indefinite && right.indefinite
  // Denying the contrary of a thing affirms the thing; denying both affirms neither.
  if (contraries) return left.negated || right.negated || apart ? null : contraries
  if (left.negated !== right.negated)
    return left.negated ? denied(left, right) : denied(right, left)
  if (left.negated || apart || left.runLog || right.runLog) return null
  return counted(left, right) ?? valueContradiction(left, right)
}

/** Two contraries, each on one side, in otherwise equal statements. */
function contrariesIn(left: Statement, right: Statement): Contradiction | null {
  for (const x of left.terms) {
    if (right.terms.has(x)) continue
    for (const y of right.terms) {
      if (left.terms.has(y) || !areOpposite(x, y)) continue
      const share = mutualShare(without(left.terms, x), without(right.terms, y))
      if (share < OPPOSED_SHARE_MIN || !sameQuantities(left, right)) continue
      if (!namesSaid(left, right, x) || !namesSaid(right, left, y)) continue
      return { kind: 'opposition', score: 0.9 * share, evidence: `${x} against ${y}` }
    }
  }
  return null
}

/**
 * A statement that says more than the denied words is denied too: "no dog is barking" denies "a big
 * dog is barking". A statement that says less may agree, so only a plain "not" of the same thing
 * counts, with a lower score: "the dog is not barking at the cat", "the dog is barking".
 */
function denied(negated: Statement, said: Statement): Contradiction | null {
  const { focus, negator } = negated
  const deniedTerms = withQuantities(negated)
  const saidTerms = withQuantities(said)
  if (!namesSaid(negated, said) || (focus !== null && countSaid([focus], saidTerms) === 0))
    return null
  const share = shareOf(deniedTerms, saidTerms)
  const isPlain = negator === 'not' || negator === 'never'
  const evidence = `only one side says "${negator}"`
  if (share >= (isPlain ? DENIED_SHARE_MIN : DENIED_WHOLLY_MIN))
    return { kind: 'negation', score: 0.95 * share, evidence }
  if (!isPlain || share < DENIED_PART_MIN || shareOf(saidTerms, deniedTerms) < 1) return null
  return { kind: 'negation', score: 0.5 + share / 4, evidence }
}

/** Different numbers, units or dates in otherwise equal statements. */
function counted(left: Statement, right: Statement): Contradiction | null {
  const { quantities: ours } = left
  const { quantities: theirs } = right
  if (ours.length === 0 || ours.length !== theirs.length || left.vague || right.vague) return null
  const differing = ours.findIndex((quantity, at) => !sameQuantity(quantity, theirs[at]))
  const [mine, other] = [ours[differing], theirs[differing]]
  if (mine === undefined || other === undefined) return null
  const share = mutualShare(left.terms, right.terms)
  if (share < COUNTED_SHARE_MIN || !namesSaid(left, right) || !namesSaid(right, left)) return null
  const evidence = `${shown(mine)} against ${shown(other)}`
  return { kind: 'number', score: 0.85 * share, evidence }
}

/** Another name is another thing, however many other words are equal. */
const namesSaid = ({ names }: Statement, { terms }: Statement, except?: string): boolean =>
  [...names].every((name) => terms.has(name) || name === except)

const shown = ({ value, dimension }: Quantity): string => `${value} (${dimension})`

const sameQuantity = (a: Quantity, b: Quantity | undefined): boolean =>
  a.dimension === b?.dimension &&
  Math.abs(a.value - b.value) <= 1e-9 * Math.max(Math.abs(a.value), Math.abs(b.value))

const sameQuantities = (left: Statement, right: Statement): boolean =>
  left.quantities.length === right.quantities.length &&
  left.quantities.every((quantity, at) => sameQuantity(quantity, right.quantities[at]))

const withQuantities = ({ terms, quantities }: Statement): ReadonlySet<string> =>
  new Set([...terms, ...quantities.map(shown)])

const without = (terms: ReadonlySet<string>, term: string): ReadonlySet<string> =>
  new Set([...terms].filter((each) => each !== term))

/** Share of the first set that the second holds; 0 for an empty first set. */
const shareOf = (part: ReadonlySet<string>, whole: ReadonlySet<string>): number =>
  part.size === 0 ? 0 : countSaid(part, whole) / part.size

const mutualShare = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  Math.min(shareOf(a, b), shareOf(b, a))

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
  ...DAYS.flatMap((name, value) => {
    const day = { value, dimension: 'day of the week' }
    return [[name, day] as const, [`${name}s`, day] as const]
  }),
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
