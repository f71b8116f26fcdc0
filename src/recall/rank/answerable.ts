import { chance, type Fusion, type Ranked } from './fuse.ts'
import { SIGNALS } from './signals.ts'

/** What tells whether the best of a ranking is an answer, or only the nearest thing to one. */
export interface AnswerSigns {
  readonly best: number
  /** The share of what was asked that the best holds. */
  readonly coverage: number
  /** Below 0: somebody is named, and what another said fits so much better. */
  readonly otherSaid: number
}

export function answerSigns(ranked: readonly Ranked[], { weights }: Fusion): AnswerSigns {
  const sums = ranked.map(({ shares }) => SIGNALS.reduce((sum, signal) => sum + shares[signal], 0))
  const without = ranked.map(({ shares }, at) => (sums[at] ?? 0) - shares.speaker)
  const bestWhere = (named: boolean): number =>
    ranked.reduce((best, { shares }, at) => {
      if ((shares.speaker !== 0) !== named) return best
      return Math.max(best, without[at] ?? best)
    }, Number.NEGATIVE_INFINITY)
  const lead = bestWhere(true) - bestWhere(false)
  return {
    best: sums.reduce((best, sum) => Math.max(best, sum), 0),
    coverage: (ranked[0]?.shares.coverage ?? 0) / weights.coverage,
    otherSaid: Number.isFinite(lead) ? Math.min(0, lead) : 0,
  }
}

/** The chance that what was asked is known at all. */
export function answerable(ranked: readonly Ranked[], fusion: Fusion): number {
  if (ranked.length === 0) return 0
  const { best, coverage, otherSaid } = answerSigns(ranked, fusion)
  const { answer } = fusion
  return chance(
    answer.best * best + answer.coverage * coverage + answer.otherSaid * otherSaid + answer.offset,
  )
}
