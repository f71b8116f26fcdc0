import { once } from '../../domain/errors.ts'
import type { Signals } from '../../domain/words/search.ts'
import { FUNCTION_WORDS, termsOf } from '../../domain/words/terms.ts'
import { type Candidate, isFirstHand } from './candidates.ts'
import type { Question } from './question.ts'
import { isStandingWish } from './said.ts'

/** A candidate with the rank that its signals give. */
interface Placed {
  readonly candidate: Candidate
  readonly signals: Pick<Signals, 'coverage'>
  readonly score: number
  /** A memory of lower tier on the same subject, which would rank before this candidate. */
  readonly standsBefore: number | null
}

const SAID_SHARE = 0.25 // share of the question's words that any candidate says
const COVERED_SHARE = 0.6 // of the most that any candidate covers, rare words counting more
const WRITTEN_TO_BE_FOUND = 0.9 // coverage from which a text of a lower tier may be written for the question
const LIFTED_MAX = 2 // an answer that only a lower tier gives moves by at most two places

/**
 * Lifts the best first-hand memories that cover the question above lower tiers on the same subject.
 * A text written to be found says every word of a question; a person seldom does.
 */
export function withPrecedence<Item extends Placed>(
  ranked: readonly Item[],
  question: Question,
): readonly Item[] {
  const terms = question.terms.filter((term) => !question.asking.has(term))
  const held = ranked.map(({ candidate }) => heldOf(candidate, terms))
  const most = Math.max(0, ...ranked.map(({ signals }) => signals.coverage))
  const least = Math.max(1, SAID_SHARE * Math.max(0, ...held.map(({ size }) => size)))
  const covering = ranked.flatMap(({ candidate }, at) => {
    const isEnough = (held[at]?.size ?? 0) >= least
    return isEnough && isFirstHand(candidate) && saysMore(candidate, question) ? at : []
  })
  const lifted = new Set(covering.slice(0, LIFTED_MAX))
  const placed = ranked.map((item, at) => {
    if (!lifted.has(at)) return item
    const isCovering = item.signals.coverage >= COVERED_SHARE * most
    const first = ranked.slice(0, at).find(({ candidate, signals }, before) => {
      if (isFirstHand(candidate) || !sharesAny(held[at], held[before])) return false
      if (isCovering) return true
      // A standing wish that only shares a word is no answer that could be pushed aside.
      return signals.coverage >= WRITTEN_TO_BE_FOUND && !isStandingWish(item.candidate.terms)
    })
    if (first === undefined) return item
    return { ...item, score: first.score, standsBefore: first.candidate.seq }
  })
  return placed.sort(
    (a, b) =>
      b.score - a.score || Number(b.standsBefore !== null) - Number(a.standsBefore !== null),
  )
}

function heldOf({ terms: said }: Candidate, terms: readonly string[]): ReadonlySet<string> {
  const all = new Set(said)
  return new Set(terms.filter((term) => all.has(term)))
}

const NOTHING: ReadonlySet<string> = new Set()

const sharesAny = (some = NOTHING, others = NOTHING): boolean =>
  [...some].some((term) => others.has(term))

const functionTerms = once(
  (): ReadonlySet<string> => new Set(termsOf([...FUNCTION_WORDS].join(' '))),
)

/**
 * True for a candidate with words beyond the question: an earlier copy of the question is no
 * answer.
 */
const saysMore = ({ terms }: Candidate, question: Question): boolean =>
  terms.some(
    (term) =>
      !question.terms.includes(term) && !question.asking.has(term) && !functionTerms().has(term),
  )
