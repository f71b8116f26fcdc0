/** Why a memory may come to mind. Each is 0 when it says nothing, and about 1 when it says a lot. */
export const SIGNALS = [
  'words', // its best passage holds what was asked, seldom words more than common ones
  'coverage', // the share of what was asked that it holds at all
  'phrase', // what stands together in the question stands together in it
  'meaning', // its words mean what the question's mean
  'kind', // it names a kind of what was asked: a puppy of pets
  'before', // the turn before it holds what it lacks
  'after', // the turn after it does
  'around', // those two turns away do
  'answers', // the turn before it asked, and was about this
  'session', // its conversation was about this
  'speaker', // the one who is named said it
  'firstHand', // a person said it or vouches for it
  'youSaid', // the question is what the model said, and it did
  'summary', // a summary takes what the model said as well
  'time', // it happened when the question says
  'dated', // the question is when, and it names a time
  'counted', // the question is how much, and it names a number
  'standing', // a person wants this always, and the question is not of what was
  'length', // long ones hold some word of every question
  'strength', // how readily it comes to mind
] as const
export type Signal = (typeof SIGNALS)[number]
export type Signals = Readonly<Record<Signal, number>>

/** Signals that policies of before do not name. */
export const LATER_SIGNALS: readonly Signal[] = ['kind']

/** How signals become a chance. Every number is policy: a stack names them by its policy's hash. */
export interface Fusion {
  /** What each signal is worth. */
  readonly weights: Readonly<Record<Signal, number>>
  /** Turns a sum of signals into the chance that the memory answers. */
  readonly calibration: { readonly slope: number; readonly offset: number }
  /** Whether anything answers at all; see `answerable` of recall. */
  readonly answer: {
    readonly best: number
    readonly coverage: number
    readonly otherSaid: number
    readonly offset: number
    /** A smaller chance, and nothing that is known answers. */
    readonly abstainBelow: number
  }
  /** Of two memories that share so much of their words, the lesser is a repeat … */
  readonly repeatShare: number
  /** … and loses so much of its sum. */
  readonly repeatCost: number
}

/**
 * What `bench/recall/learn.ts` learnt, rounded. It tells of conversations between people and with a
 * model; `strength` is not learnt there but set, so that what fades falls behind its equals;
 * `kind` is held below the 5.2 that was learnt, since more lifts pages of strangers to the first place; and
 * `abstainBelow` is set by what `bench/recall/run.ts` measures of whole stacks.
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
