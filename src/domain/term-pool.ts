/**
 * Chooses the memories to score closely for a question, equally in every store. Ranking all
 * memories with a very common word costs as much as reading everything and tells little: memories
 * with a telling word come first, and common words only order them and fill up.
 */

/** The newest memories with a term, counted individually. */
export const HELD_COUNTED_MAX = 512

/** A telling term is in at most a 50th of the memories, or in few for the wanted hits. */
const TELLING_ONE_IN = 50
const TELLING_HELD_TIMES = 5
/** Bound per hit on memories of all telling terms together: ranking cost grows with the sum. */
const TELLING_SUM_TIMES = 32
/** A term in so few memories per hit is always telling. */
const TELLING_ALWAYS_TIMES = 2

/** Memories scored by all terms, per wanted hit. */
export const POOL_TIMES = 2

/** Memories with the terms to look at per hit, the best or the newest; filters leave some. */
export const LOOKED_AT_TIMES = 8

/** The number of memories with a term, estimated from the newest if there are very many. */
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

export function splitTerms(
  terms: readonly HeldTerm[],
  { hits, documents }: { readonly hits: number; readonly documents: number },
): SplitTerms {
  const heldMax = Math.max(documents / TELLING_ONE_IN, hits * TELLING_HELD_TIMES)
  const telling: string[] = []
  const common: string[] = []
  let sum = 0
  for (const { term, held } of [...terms].sort((a, b) => a.held - b.held)) {
    sum += held
    const isSeldom = held <= hits * TELLING_ALWAYS_TIMES || telling.length === 0
    if (held <= heldMax && (isSeldom || sum <= hits * TELLING_SUM_TIMES)) telling.push(term)
    else common.push(term)
  }
  return { telling, common }
}

const K1 = 1.2
const B = 0.75
const LENGTH_USUAL = 28 // terms of a turn of talk
const SCORE_DIGITS = 1e6 // the last bits of a logarithm differ between platforms

export interface PooledText {
  readonly seq: number
  /** Separated by single spaces. */
  readonly terms: string
}

/** The pool by all terms, best first, then oldest. */
export function scoredByWords<T extends PooledText>(
  pool: readonly T[],
  terms: readonly HeldTerm[],
  documents: number,
): readonly T[] {
  const weights = new Map(
    terms.map(({ term, held }) => [term, Math.log(1 + (documents - held + 0.5) / (held + 0.5))]),
  )
  const scored = pool.map((text) => ({ text, score: scoreOf(text.terms, weights) }))
  scored.sort((a, b) => b.score - a.score || a.text.seq - b.text.seq)
  return scored.map(({ text }) => text)
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
