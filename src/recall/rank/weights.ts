import type { Fusion } from './fuse.ts'

/** Learnt by `bench/recall/learn.ts`. */
export const DEFAULT_FUSION: Fusion = {
  weights: {
    words: 1.4,
    coverage: 2.7,
    phrase: 0.9,
    meaning: 1.4,
    before: 1.5,
    after: 0.6,
    around: 1.1,
    answers: 2.0,
    session: 2.8,
    speaker: 2.0,
    firstHand: 2.5,
    youSaid: 2.7,
    summary: 3.4,
    time: 4.4,
    dated: 1.8,
    counted: 0.8,
    standing: 3.0,
    length: -0.4,
    brief: -1.5,
    strength: 1,
  },
  calibration: { slope: 1, offset: -8 },
  abstainBelow: 0.01,
  repeatShare: 0.8,
  repeatCost: 1,
}
