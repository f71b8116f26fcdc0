import type { Fusion } from '../../domain/words/search.ts'
import { chance, type Ranked, sumOf } from './fuse.ts'

/** Signs that the first result is an answer, and not only the nearest memory. */
export interface AnswerSigns {
  readonly best: number
  /** The largest share of the question's terms in one of the first results, rare terms counting more. */
  readonly coverage: number
  /** Below 0: the question names a speaker, and another speaker's words fit much better. */
  readonly otherSaid: number
  /** The share of the question that no memory says, rare words counting more. */
  readonly unsaid: number
}

const FIRST = 10 // results that a person looks at

export function answerSigns(
  ranked: readonly Ranked[],
  fusion: Fusion,
  unsaid: number,
): AnswerSigns {
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
    coverage: Math.max(0, ...ranked.slice(0, FIRST).map(coveredIn)),
    otherSaid: Number.isFinite(lead) ? Math.min(0, lead) : 0,
    unsaid,
  }
}

/** A kind of what was asked for stands for the word: a puppy answers a question about pets. */
const coveredIn = ({ signals: { coverage, kind } }: Ranked): number => Math.min(1, coverage + kind)

/** The chance that the stack holds an answer at all. */
export function answerable(ranked: readonly Ranked[], fusion: Fusion, unsaid: number): number {
  if (ranked.length === 0) return 0
  const signs = answerSigns(ranked, fusion, unsaid)
  const { answer } = fusion
  return chance(
    answer.best * signs.best +
      answer.coverage * signs.coverage +
      answer.otherSaid * signs.otherSaid +
      (answer.unsaid ?? 0) * signs.unsaid +
      answer.offset,
  )
}

/** A chance in a word: of what a person or a model may take the results for. */
export type Match = 'strong' | 'good' | 'weak' | 'nothing'

const STRONG_FROM = 0.9
const GOOD_FROM = 0.6

export function matchOf(chanceOfAnswer: number, { answer }: Fusion): Match {
  if (chanceOfAnswer < answer.abstainBelow) return 'nothing'
  return chanceOfAnswer >= STRONG_FROM ? 'strong' : chanceOfAnswer >= GOOD_FROM ? 'good' : 'weak'
}
