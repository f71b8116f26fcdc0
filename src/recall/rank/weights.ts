import type { Fusion } from './fuse.ts'

/**
 * What `bench/recall/learn.ts` learnt, rounded. It tells of conversations between people and with a
 * model; `strength` is not learnt there but set, so that what fades falls behind its equals.
 */
export const DEFAULT_FUSION: Fusion = {
  weights: {
    words: 1.1,
    coverage: 2.4,
    phrase: 1.2,
    meaning: 4,
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
  answer: { best: 0.41, coverage: 3.1, otherSaid: 1, offset: -4.1, abstainBelow: 0.136 },
  repeatShare: 0.8,
  repeatCost: 1,
}
