/** Signals of a memory's relevance: 0 without evidence, about 1 with much evidence. */
export const SIGNALS = [
  'words', // the best passage holds words of the question, rare words more than common words
  'coverage', // the share of the question's words in the memory
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
export const LATER_SIGNALS: readonly Signal[] = ['kind']

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
 * Numbers learnt by `bench/recall/learn.ts` from conversations between people and with a model,
 * rounded. `strength` is set by hand, so faded memories fall behind their equals. `kind` is held
 * below the learnt 5.2, since more lifts unrelated pages to the first place. `abstainBelow` is set
 * by measurements of whole stacks in `bench/recall/run.ts`.
 */
export const DEFAULT_FUSION: Fusion = {
  weights: {
    words: 1.1,
    coverage: 2.4,
    phrase: 1.2,
    meaning: 4,
    kind: 3,
    before: 1.1,
    after: 0.9,
    around: 1.7,
    answers: 2.7,
    session: 2.7,
    speaker: 2.4,
    firstHand: 1.4,
    youSaid: 3.7,
    summary: 3.1,
    time: 4,
    dated: 2.2,
    counted: 1.4,
    standing: 2.7,
    length: -0.5,
    strength: 1,
  },
  calibration: { slope: 0.44, offset: -4.6 },
  answer: { best: 0.41, coverage: 3.1, otherSaid: 1, offset: -4.1, abstainBelow: 0.085 },
  repeatShare: 0.8,
  repeatCost: 1,
}
