/** Signals of a memory's relevance: 0 without evidence, about 1 with much evidence. */
export const SIGNALS = [
  'words', // the best passage holds words of the question, rare words more than common words
  'whole', // the whole text holds words of the question, wherever they stand
  'coverage', // the share of the question's words in the memory
  'subject', // the memory begins with words of the question: it speaks of them, and not in passing
  'phrase', // words together in the question stand together in the memory
  'meaning', // the meaning is near the question's meaning
  'kind', // names a kind of thing in the question: a puppy for pets
  'before', // the turn before holds the missing words
  'after', // the turn after holds the missing words
  'around', // turns two away hold the missing words
  'answers', // the turn before was a question, on the subject
  'session', // the conversation was on the subject
  'speaker', // said by the person named in the question
  'firstHand', // a person said or vouches for the memory
  'youSaid', // the question asks for the model's words, and the model said this
  'summary', // a summary covers the model's words too
  'time', // happened at the time in the question
  'dated', // the question asks when, and the memory names a time
  'counted', // the question asks how much, and the memory names a number
  'standing', // a person wants this always, and the question is not about the past
  'length', // long memories hold some word of every question
  'strength', // how readily the memory comes to mind
] as const
export type Signal = (typeof SIGNALS)[number]
export type Signals = Readonly<Record<Signal, number>>

/** Signals unknown to older policies. */
export const LATER_SIGNALS: readonly Signal[] = ['kind', 'subject', 'whole']

/** Turns signals into a chance. Every number is policy: a stack names all by its policy's hash. */
export interface Fusion {
  readonly weights: Readonly<Record<Signal, number>>
  /** Turns a sum of signals into the chance of answering. */
  readonly calibration: { readonly slope: number; readonly offset: number }
  /** Decides if any memory answers at all; see `answerable` of recall. */
  readonly answer: {
    readonly best: number
    readonly coverage: number
    readonly otherSaid: number
    /** For the share of the question that no memory says; absent in older policies. */
    readonly unsaid?: number
    readonly offset: number
    /** Below this chance, no known memory answers. */
    readonly abstainBelow: number
  }
  /** Share of common words from which the lesser of two memories is a repeat. */
  readonly repeatShare: number
  /** A repeat loses this much of its sum. */
  readonly repeatCost: number
}

/**
 * Numbers learnt by `bench/recall/learn.ts` from conversations between people and with a model
 * and from an agent's notes, rounded. `strength` is set by hand, so faded memories fall behind
 * their equals. `kind` is held below the learnt 5.2, since more lifts unrelated pages to the first place. `abstainBelow` is set
 * by measurements of whole stacks in `bench/recall/run.ts`.
 */
export const DEFAULT_FUSION: Fusion = {
  weights: {
    words: 1,
    whole: 1.6,
    coverage: 2.3,
    subject: 1.5,
    phrase: 0.7,
    meaning: 3,
    kind: 3,
    before: 0.8,
    after: 0.4,
    around: 2.3,
    answers: 3,
    session: 3.1,
    speaker: 2.4,
    firstHand: 1.5,
    youSaid: 3.2,
    summary: 2.8,
    time: 4.6,
    dated: 1.9,
    counted: 1,
    standing: 2.7,
    length: -0.5,
    strength: 1,
  },
  calibration: { slope: 0.43, offset: -3.8 },
  answer: {
    best: 0.31,
    coverage: 7.5,
    otherSaid: 0.62,
    unsaid: -2.1,
    offset: -4.8,
    abstainBelow: 0.13,
  },
  repeatShare: 0.8,
  repeatCost: 1,
}

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

interface SplitTerms {
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

interface PooledText {
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

/** A word for a kind of another word: "puppy" of "pet". The term is stemmed as in search. */
export interface KindMember {
  readonly term: string
  /** 0 to 1: how often both words have this sense, and how much the kind tells. */
  readonly strength: number
}

/** Digest of this version's table of words; vectors name the table. */
export const WORD_TABLE_SHA256 = 'fff7b548ece141793e9b5e83e6e218c8df2f147357b3b3527387bc49987bfdac'
/** Digest of this version's table of kinds, by which search knows a puppy as a pet. */
export const KIND_TABLE_SHA256 = 'd70e43bf036124be35add445e21af0e077d0a965359e17b53059ad6f4768d82d'
