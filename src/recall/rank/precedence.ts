import type { Signals } from '../../domain/words/search.ts'
import { functionTerms } from '../../domain/words/terms.ts'
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
const SUBJECT_SHARE = 0.25 // share of a memory's own words that are the question's: less is an aside
const SUBJECT_COSINE = 0.35 // nearness in meaning of a memory that is about the question
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
  const asked = new Set(terms)
  const held = ranked.map(({ candidate }) => heldOf(candidate, asked))
  const most = Math.max(0, ...ranked.map(({ signals }) => signals.coverage))
  const least = Math.max(1, SAID_SHARE * Math.max(0, ...held.map(({ size }) => size)))
  const lifted = new Set<number>()
  for (const [at, { candidate }] of ranked.entries()) {
    if (lifted.size === LIFTED_MAX) break
    const isEnough = (held[at]?.size ?? 0) >= least
    if (isEnough && isFirstHand(candidate) && isOnSubject(candidate, question)) lifted.add(at)
  }
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

const heldOf = ({ terms }: Candidate, asked: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(terms.filter((term) => asked.has(term)))

const NOTHING: ReadonlySet<string> = new Set()

const sharesAny = (some = NOTHING, others = NOTHING): boolean =>
  [...some].some((term) => others.has(term))

/**
 * True for a candidate that speaks of the question, and not of something else in passing: a person
 * whose dog "barks in calls" says nothing about who is on call. An earlier copy of the question,
 * without further words, is no answer.
 */
function isOnSubject({ terms, cosine }: Candidate, { terms: asked, asking }: Question): boolean {
  const telling = new Set(terms.filter((term) => !asking.has(term) && !functionTerms().has(term)))
  const shared = asked.filter((term) => telling.has(term)).length
  if (shared === telling.size) return false
  return shared >= SUBJECT_SHARE * telling.size && (cosine ?? 1) >= SUBJECT_COSINE
}
