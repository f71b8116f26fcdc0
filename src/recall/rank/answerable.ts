import type { Fusion } from '../../domain/words/search.ts'
import { chance, type Ranked, sumOf } from './fuse.ts'

/** Signs that the first result is an answer, and not only the nearest memory. */
export interface AnswerSigns {
  readonly best: number
  /** The share of the question's terms that the first result holds. */
  readonly coverage: number
  /** Below 0: the question names a speaker, and another speaker's words fit much better. */
  readonly otherSaid: number
}

export function answerSigns(ranked: readonly Ranked[], fusion: Fusion): AnswerSigns {
  let [best, named, others] = [0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { signals } of ranked) {
    const sum = sumOf(signals, fusion)
    best = Math.max(best, sum)
    if (signals.speaker > 0) {
      named = Math.max(named, sum - signals.speaker * fusion.weights.speaker)
    } else others = Math.max(others, sum)
  }
  const lead = named - others
  return {
    best,
    coverage: ranked[0]?.signals.coverage ?? 0,
    otherSaid: Number.isFinite(lead) ? Math.min(0, lead) : 0,
  }
}

/** The chance that the stack holds an answer at all. */
export function answerable(ranked: readonly Ranked[], fusion: Fusion): number {
  if (ranked.length === 0) return 0
  const { best, coverage, otherSaid } = answerSigns(ranked, fusion)
  const { answer } = fusion
  return chance(
    answer.best * best + answer.coverage * coverage + answer.otherSaid * otherSaid + answer.offset,
  )
}
