/** Terms as numbers of a question's own: 0 is a word that it does not hold. */
export interface Passage {
  /** For each term, how much the best window of the text says of it. */
  readonly weights: readonly number[]
  readonly length: number
  /** Pairs of the question that stand close to each other. */
  readonly pairs: readonly boolean[]
}

/** The terms of a question, what each is worth, and which of them belong together. */
export interface AskedTerms {
  readonly terms: readonly string[]
  /** Where each of them stands in the list. */
  readonly numbers: ReadonlyMap<string, number>
  readonly idf: readonly number[]
  readonly pairs: readonly Pair[]
}

const WINDOW = 48 // terms: about a paragraph
const STEP = 24 // from one window to the next
const LENGTH_USUAL = 28 // terms of a turn of talk
const K1 = 1.2
const B = 0.75
const PAIR_REACH = 3 // terms from one of a pair to the other, either way

/** Bm25's share of a term that stands `times` times in so many terms. */
const saturated = (times: number, length: number): number =>
  times === 0 ? 0 : (times * (K1 + 1)) / (times + K1 * (1 - B + (B * length) / LENGTH_USUAL))

/**
 * How a text answers the terms of a question. A long text is as good as its best window, so that
 * length neither helps nor hurts: what was asked stands in one place or in none.
 */
export function readPassage(
  text: readonly string[],
  { terms, numbers, idf, pairs }: AskedTerms,
): Passage {
  const places = placesOf(text, terms, numbers)
  if (places === null) {
    const nothing = terms.map(() => 0)
    return { weights: nothing, length: text.length, pairs: pairs.map(() => false) }
  }
  let best: readonly number[] = terms.map(() => 0)
  let bestScore = -1
  const starts = text.length <= WINDOW ? 1 : Math.ceil((text.length - STEP) / STEP)
  for (let window = 0; window < starts; window += 1) {
    const from = window * STEP
    const to = Math.min(text.length, from + WINDOW)
    const weights = places.map((at) => saturated(within(at, from, to), to - from))
    const score = weights.reduce((sum, weight, term) => sum + weight * (idf[term] ?? 0), 0)
    if (score > bestScore) [best, bestScore] = [weights, score]
  }
  const closeBy = pairs.map((pair) => near(pair, places))
  return { weights: best, length: text.length, pairs: closeBy }
}

/** Two terms by their places in the question. */
export type Pair = readonly [first: number, second: number]

/** Null where it holds none of the terms, as most of what stands beside a hit does. */
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

const within = (places: readonly number[], from: number, to: number): number =>
  places.reduce((count, at) => (at >= from && at < to ? count + 1 : count), 0)

function near([first, second]: Pair, places: readonly number[][]): boolean {
  const others = places[second] ?? []
  return (places[first] ?? []).some((at) =>
    others.some((other) => Math.abs(other - at) <= PAIR_REACH),
  )
}
