/**
 * Which memories are looked at closely for the words of a question, the same in every store. Ranking
 * all that hold a word said everywhere costs as much as reading everything and tells little: those
 * that hold a telling word come first, and common words only order them and fill up.
 */

/** Memories that hold a term, the newest of them, that are counted one by one. */
export const HELD_COUNTED_MAX = 4_096

/** Memories that a term may be in and still tell something, for so many hits. */
const TELLING_HELD_MIN = 1_024
const TELLING_HELD_TIMES = 5

/** So many are scored by all terms for each hit that is wanted. */
export const POOL_TIMES = 2

/** How many memories hold a term, told from the newest of them when there are very many. */
export function heldIn(
  counted: number,
  { oldest, last, documents }: { oldest: number; last: number; documents: number },
): number {
  if (counted < HELD_COUNTED_MAX) return counted
  return Math.min(documents, Math.round((counted * (last + 1)) / (last + 1 - oldest)))
}

export interface HeldTerm {
  readonly term: string
  readonly held: number
}

export interface SplitTerms {
  readonly telling: readonly string[]
  readonly common: readonly string[]
}

export function splitTerms(terms: readonly HeldTerm[], hits: number): SplitTerms {
  const heldMax = Math.max(TELLING_HELD_MIN, hits * TELLING_HELD_TIMES)
  const namesOf = (some: readonly HeldTerm[]) => some.map(({ term }) => term)
  return {
    telling: namesOf(terms.filter(({ held }) => held <= heldMax)),
    common: namesOf(terms.filter(({ held }) => held > heldMax)),
  }
}

const K1 = 1.2
const B = 0.75
const LENGTH_USUAL = 28 // terms of a turn of talk
const SCORE_DIGITS = 1e6 // the last bits of a logarithm are not the same everywhere

export interface PooledText {
  readonly seq: number
  /** Its terms, one space between. */
  readonly terms: string
}

/** The pool by all terms, best first, then oldest. */
export function scoredByWords(
  pool: readonly PooledText[],
  terms: readonly HeldTerm[],
  documents: number,
): readonly number[] {
  const weights = new Map(
    terms.map(({ term, held }) => [term, Math.log(1 + (documents - held + 0.5) / (held + 0.5))]),
  )
  const scored = pool.map(({ seq, terms: text }) => ({ seq, score: scoreOf(text, weights) }))
  return scored.sort((a, b) => b.score - a.score || a.seq - b.seq).map(({ seq }) => seq)
}

function scoreOf(text: string, weights: ReadonlyMap<string, number>): number {
  const words = text.split(' ')
  const times = new Map<string, number>()
  for (const word of words) {
    if (weights.has(word)) times.set(word, (times.get(word) ?? 0) + 1)
  }
  const norm = K1 * (1 - B + (B * words.length) / LENGTH_USUAL)
  let score = 0
  for (const [word, weight] of weights) {
    const said = times.get(word) ?? 0
    score += (weight * said * (K1 + 1)) / (said + norm)
  }
  return Math.round(score * SCORE_DIGITS) / SCORE_DIGITS
}
