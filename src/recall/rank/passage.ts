/** Terms as numbers of the question; 0 is a word outside the question. */
export interface Passage {
  /** For each term, the term's weight in the best window of the text. */
  readonly weights: readonly number[]
  /** For each term, the term's weight in the whole text. */
  readonly whole: readonly number[]
  readonly length: number
  /** Pairs of the question whose terms stand close together in the text. */
  readonly pairs: readonly boolean[]
}

/** The terms of a question, with weights and pairs. */
export interface AskedTerms {
  readonly terms: readonly string[]
  /** Number of each term in the list. */
  readonly numbers: ReadonlyMap<string, number>
  readonly idf: readonly number[]
  readonly pairs: readonly Pair[]
}

const WINDOW = 48 // terms: about a paragraph
const STEP = 24 // terms from one window to the next
const LENGTH_USUAL = 28 // terms in a turn of talk
const K1 = 1.2
const B = 0.75
const PAIR_REACH = 3 // terms between the two of a pair, either way

const LENGTH_OF_PAGE = 250 // terms in a page; among shorter texts the length hardly counts

/** Bm25's share of a term that occurs `times` times in so many terms. */
const saturated = (times: number, length: number, usual: number): number =>
  times === 0 ? 0 : (times * (K1 + 1)) / (times + K1 * (1 - B + (B * length) / usual))

/**
 * Scores a text for the terms of a question: by its best window, because an answer stands in one
 * place, and as a whole, because a document on the subject says the terms throughout.
 */
export function readPassage(
  text: readonly string[],
  { terms, numbers, idf, pairs }: AskedTerms,
): Passage {
  const places = placesOf(text, terms, numbers)
  if (places === null) {
    const nothing = terms.map(() => 0)
    return { weights: nothing, whole: nothing, length: text.length, pairs: pairs.map(() => false) }
  }
  const { weights: best } = bestWindow(places, text.length, idf)
  const closeBy = pairs.map((pair) => near(pair, places))
  const whole = places.map((some) => saturated(some.length, text.length, LENGTH_OF_PAGE))
  return { weights: best, whole, length: text.length, pairs: closeBy }
}

/** Two terms by their places in the question. */
export type Pair = readonly [first: number, second: number]

/** Null for a text without any of the terms, which is the case for most neighbours of a hit. */
function placesOf(
  text: readonly string[],
  terms: readonly string[],
  numbers: AskedTerms['numbers'],
): readonly number[][] | null {
  let places: number[][] | null = null
  for (let at = 0; at < text.length; at += 1) {
    const number = numbers.get(text[at] ?? '')
    if (number === undefined) continue
    places ??= terms.map(() => [])
    places[number]?.push(at)
  }
  return places
}

interface Window {
  readonly weights: readonly number[]
  readonly score: number
}

/**
 * The first of the best windows. Only windows with a term are tried, because texts may be very
 * long.
 */
function bestWindow(
  places: readonly (readonly number[])[],
  length: number,
  idf: readonly number[],
): Window {
  const windows = length <= WINDOW ? 1 : Math.ceil((length - STEP) / STEP)
  const counts = new Map<number, number[]>()
  const count = (window: number, term: number): void => {
    if (window < 0 || window >= windows) return
    const known = counts.get(window) ?? places.map(() => 0)
    known[term] = (known[term] ?? 0) + 1
    counts.set(window, known)
  }
  for (const [term, some] of places.entries()) {
    for (const at of some) {
      const last = windows === 1 ? 0 : Math.floor(at / STEP)
      count(last, term)
      if (windows > 1) count(last - 1, term)
    }
  }
  let best: Window = { weights: places.map(() => 0), score: -1 }
  for (const [window, times] of [...counts].sort(([a], [b]) => a - b)) {
    const from = window * STEP
    const size = Math.min(length, from + WINDOW) - from
    const weights = times.map((each) => saturated(each, size, LENGTH_USUAL))
    const score = weights.reduce((sum, weight, term) => sum + weight * (idf[term] ?? 0), 0)
    if (score > best.score) best = { weights, score }
  }
  return best
}

/** Both lists ascend, so the smaller position advances. */
function near([first, second]: Pair, places: readonly (readonly number[])[]): boolean {
  const [ones, others] = [places[first] ?? [], places[second] ?? []]
  for (let one = 0, other = 0; one < ones.length && other < others.length; ) {
    const apart = (others[other] ?? 0) - (ones[one] ?? 0)
    if (Math.abs(apart) <= PAIR_REACH) return true
    if (apart > 0) one += 1
    else other += 1
  }
  return false
}
