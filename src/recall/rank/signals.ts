import type { Signals } from '../../domain/words/search.ts'
import { functionTerms, termsOf } from '../../domain/words/terms.ts'
import { nearest } from '../time/events.ts'
import {
  type Candidate,
  type CandidateSet,
  isFirstHand,
  type Neighbours,
  neighboursOf,
} from './candidates.ts'
import { type AskedTerms, type Passage, readPassage } from './passage.ts'
import type { Question } from './question.ts'
import { isAsking, isStandingWish, namesNumber, namesTime } from './said.ts'

const SCORE_UNIT = 10
const ASKING_WEIGHT = 0.1 // weight of a term about the asking
const TURN_LENGTH = 40 // terms; neighbours of a longer text say less about the text
const SESSION_BEST = 3 // turns that show the subject of a conversation
const SESSION_MAX = 0.8 // a conversation cannot replace a memory's own words

/** The signals of every candidate, in the order of the candidates. */
export function signalsOf(question: Question, found: CandidateSet): readonly Signals[] {
  const asked = askedOf(question, found)
  const read = found.candidates.map(({ terms }) => readPassage(terms, asked))
  const all: Whole = {
    question,
    asked,
    byKey: new Map(found.candidates.map(({ seq }, at) => [seq, at])),
    candidates: found.candidates,
    passages: read,
    words: read.map(({ weights }) => weighed(weights, asked.idf) / SCORE_UNIT),
    beside: neighboursOf(found.runs),
  }
  const sessions = sessionWords(all)
  return found.candidates.map((_, at) => signalsAt(at, all, sessionSignal(at, all, sessions)))
}

/**
 * Share of the question that no memory says, rare words counting more; 0 without telling words. A
 * term counts less where some memory names a kind of it.
 */
export function unsaidShare(
  question: Question,
  { documents, holding, candidates }: CandidateSet,
): number {
  const kinds = kindStrengths(question, candidates)
  let [all, unsaid] = [0, 0]
  for (const term of question.terms) {
    if (question.asking.has(term)) continue
    const held = holding.get(term) ?? 0
    const weight = Math.log(1 + (documents - held + 0.5) / (held + 0.5))
    all += weight
    if (held === 0) unsaid += weight * (1 - (kinds.get(term) ?? 0))
  }
  return all === 0 ? 0 : unsaid / all
}

/** For each term of the question, the strength of the best kind that a memory names. */
function kindStrengths(
  { kinds }: Question,
  candidates: readonly Candidate[],
): ReadonlyMap<string, number> {
  const said = new Map<string, number>()
  if (kinds.size === 0) return said
  for (const { terms } of candidates) {
    for (const term of terms) {
      const kind = kinds.get(term)
      if (kind) said.set(kind.of, Math.max(kind.strength, said.get(kind.of) ?? 0))
    }
  }
  return said
}

interface QuestionTerms extends AskedTerms {
  readonly idfSum: number
  /** Speakers whom the question names. */
  readonly named: ReadonlySet<string>
}

interface Whole {
  readonly question: Question
  readonly asked: QuestionTerms
  readonly byKey: ReadonlyMap<number, number>
  readonly candidates: readonly Candidate[]
  readonly passages: readonly Passage[]
  readonly words: readonly number[]
  readonly beside: Neighbours
}

/**
 * A speaker's name selects the speaker and not the subject, because other people say the name more
 * often.
 */
function askedOf(
  question: Question,
  { documents, holding, candidates }: CandidateSet,
): QuestionTerms {
  const asked = new Set(question.terms)
  const names = new Map<string, string>() // term → speaker
  for (const speaker of new Set(candidates.map((candidate) => candidate.speaker))) {
    if (speaker !== null) for (const term of termsOf(speaker)) names.set(term, speaker)
  }
  const others = question.terms.filter((term) => !names.has(term))
  const terms = others.length > 0 ? others : question.terms
  const numbers = new Map(terms.map((term, at) => [term, at]))
  const idf = terms.map((term) => {
    const held = holding.get(term) ?? 0
    const weight = Math.log(1 + (documents - held + 0.5) / (held + 0.5))
    return question.asking.has(term) ? ASKING_WEIGHT * weight : weight
  })
  return {
    terms,
    numbers,
    idf,
    idfSum: idf.reduce((sum, weight) => sum + weight, 0) || 1,
    pairs: question.pairs.flatMap(([first, second]) => {
      const [a, b] = [numbers.get(first), numbers.get(second)]
      return a === undefined || b === undefined ? [] : [[a, b] as const]
    }),
    named: new Set([...names].flatMap(([term, speaker]) => (asked.has(term) ? speaker : []))),
  }
}

// A loop, because temporary lists would be built for every candidate of every question.
function weighed(weights: readonly number[], idf: readonly number[]): number {
  let sum = 0
  for (let at = 0; at < weights.length; at += 1) sum += (weights[at] ?? 0) * (idf[at] ?? 0)
  return sum
}

/** Sum of the weights of the terms that occur at all. */
function covered(weights: readonly number[], idf: readonly number[]): number {
  let sum = 0
  for (let at = 0; at < weights.length; at += 1) if ((weights[at] ?? 0) > 0) sum += idf[at] ?? 0
  return sum
}

const WISH_COVERAGE = 0.4 // share of the question from which a wish is wholly on its subject
const WISH_FOR_FACT = 0.3 // "On which day do we deploy" is seldom answered by a wish about deploys

/**
 * A standing wish bears on all work that a question asks for. A question for a fact is answered by
 * a wish only as far as the wish is on the subject.
 */
const wishOn = ({ asksOfNow, asksForWork, asksForFact }: Question, coverage: number): number => {
  if (!asksOfNow || asksForWork) return asksOfNow ? 1 : 0
  return Math.min(1, coverage / WISH_COVERAGE) * (asksForFact ? WISH_FOR_FACT : 1)
}

const flag = (said: boolean): number => (said ? 1 : 0)

/** One literal, because assembling the object from parts costs more than the signals. */
function signalsAt(at: number, all: Whole, session: number): Signals {
  const { question, asked, passages, words } = all
  const candidate = all.candidates[at] as Candidate // candidates and passages have equal length
  const { terms, speaker, label, atMs, strength, cosine } = candidate
  const firstHand = isFirstHand(candidate)
  const passage = passages[at] as Passage // candidates and passages have equal length
  const byModel = label === 'ModelDerived' || label === 'RecallReEntry'
  const { before, after, around, answers } = besideSignals(at, all)
  const coverage = covered(passage.weights, asked.idf) / asked.idfSum
  return {
    words: words[at] ?? 0,
    whole: weighed(passage.whole, asked.idf) / SCORE_UNIT,
    coverage,
    subject: subjectOf(terms, asked),
    phrase: phraseOf(passage, asked) / SCORE_UNIT,
    meaning: cosine ?? 0,
    kind: kindOf(terms, passage, all),
    speaker: flag(speaker !== null && asked.named.has(speaker)),
    firstHand: firstHand ? 1 : byModel && !isReply(candidate, all) ? OWN_NOTE : 0,
    youSaid: flag(byModel && question.asksWhatYouSaid),
    summary: flag(byModel && question.asksSummary),
    time: nearest(question.times, atMs),
    dated: flag(question.asksWhen && namesTime(terms)),
    counted: flag(question.asksHowMany && namesNumber(terms)),
    standing: firstHand && isStandingWish(terms) ? wishOn(question, coverage) : 0,
    length: Math.log(1 + terms.length),
    strength,
    before,
    after,
    around,
    answers,
    session,
  }
}

const OWN_NOTE = 0.8 // a note that an agent keeps says more than a reply in a conversation

/** True next to words of a person in a session: a model that answers. */
function isReply({ seq }: Candidate, { beside, byKey, candidates }: Whole): boolean {
  return [beside.before.get(seq), beside.after.get(seq)].some((key) => {
    const other = key === undefined ? undefined : candidates[byKey.get(key) ?? -1]
    return other !== undefined && isFirstHand(other)
  })
}

const SUBJECT_TERMS = 2 // telling terms at the beginning of a statement

/** The share of the question, by rarity, in the first telling terms of a text. */
function subjectOf(terms: readonly string[], { numbers, idf, idfSum }: QuestionTerms): number {
  let [sum, seen] = [0, 0]
  for (let at = 0; at < terms.length && seen < SUBJECT_TERMS; at += 1) {
    const term = terms[at] ?? ''
    if (functionTerms().has(term)) continue
    seen += 1
    const number = numbers.get(term)
    if (number !== undefined) sum += idf[number] ?? 0
  }
  return sum / idfSum
}

/** For each missing term, the best kind that the text names; rare terms count more. */
function kindOf(
  terms: readonly string[],
  { weights }: Passage,
  { question, asked }: Whole,
): number {
  if (question.kinds.size === 0) return 0
  const best = new Map<number, number>()
  for (const term of terms) {
    const kind = question.kinds.get(term)
    const number = kind && asked.numbers.get(kind.of)
    if (kind === undefined || number === undefined || (weights[number] ?? 0) > 0) continue
    best.set(number, Math.max(kind.strength, best.get(number) ?? 0))
  }
  let sum = 0
  for (const [number, strength] of best) sum += strength * (asked.idf[number] ?? 0)
  return sum / asked.idfSum
}

function phraseOf({ pairs }: Passage, asked: QuestionTerms): number {
  return asked.pairs.reduce((sum, [first, second], at) => {
    if (!pairs[at]) return sum
    return sum + Math.min(asked.idf[first] ?? 0, asked.idf[second] ?? 0)
  }, 0)
}

type BesideSignals = Pick<Signals, 'before' | 'after' | 'around' | 'answers'>
const NOTHING_BESIDE: BesideSignals = { before: 0, after: 0, around: 0, answers: 0 }

function besideSignals(at: number, all: Whole): BesideSignals {
  const { byKey, candidates, beside } = all
  const step = (from: number | undefined, way: ReadonlyMap<number, number>): number | undefined =>
    from === undefined ? undefined : way.get(from)
  const seq = candidates[at]?.seq
  const one = step(seq, beside.before)
  const next = step(seq, beside.after)
  if (one === undefined && next === undefined) return NOTHING_BESIDE
  // A neighbour below first-hand adds nothing: an attacker who can write a neighbour could lift a
  // memory, or lift other memories past the memory.
  const added = (key: number | undefined): number => {
    const other = key === undefined ? undefined : byKey.get(key)
    const lender = other === undefined ? undefined : candidates[other]
    return other === undefined || !lender || !isFirstHand(lender) ? 0 : adds(other, at, all)
  }
  const before = added(one)
  const asking = one === undefined ? undefined : candidates[byKey.get(one) ?? -1]
  return {
    before,
    after: added(next),
    around: added(step(one, beside.before)) + added(step(next, beside.after)),
    answers: asking && isAsking(asking.terms) ? before : 0,
  }
}

/** Terms of the question that one passage adds to another; long passages count alone. */
function adds(other: number, own: number, { passages, asked }: Whole): number {
  const [there, here] = [passages[other], passages[own]]
  if (there === undefined || here === undefined) return 0
  let lacking = 0
  for (let term = 0; term < there.weights.length; term += 1) {
    const more = (there.weights[term] ?? 0) - (here.weights[term] ?? 0)
    if (more > 0) lacking += more * (asked.idf[term] ?? 0)
  }
  return lacking / SCORE_UNIT / (1 + (there.length / TURN_LENGTH) ** 2)
}

/** The best word scores in a session, best first. */
interface SessionWords {
  readonly all: readonly number[]
  readonly firstHand: readonly number[]
}

function sessionWords({ candidates, words }: Whole): ReadonlyMap<string, SessionWords> {
  const sessions = new Map<string, { all: readonly number[]; firstHand: readonly number[] }>()
  candidates.forEach((candidate, at) => {
    const { session } = candidate
    if (session === null) return
    const own = words[at] ?? 0
    const known = sessions.get(session) ?? { all: [], firstHand: [] }
    known.all = bestOf(known.all, own)
    if (isFirstHand(candidate)) known.firstHand = bestOf(known.firstHand, own)
    sessions.set(session, known)
  })
  return sessions
}

const bestOf = (best: readonly number[], score: number): readonly number[] =>
  score <= (best[SESSION_BEST - 1] ?? -1)
    ? best // most scores, and a sort costs more than all else here
    : [...best, score].sort((a, b) => b - a).slice(0, SESSION_BEST)

/** Memories below first-hand gain nothing from each other: five notes are no conversation. */
function sessionSignal(
  at: number,
  { candidates, words }: Whole,
  sessions: ReadonlyMap<string, SessionWords>,
): number {
  const candidate = candidates[at] as Candidate // candidates and words have equal length
  const known = candidate.session === null ? undefined : sessions.get(candidate.session)
  if (known === undefined) return 0
  const scores = isFirstHand(candidate) ? known.all : bestOf(known.firstHand, words[at] ?? 0)
  return Math.min(SESSION_MAX, scores.reduce((sum, score) => sum + score, 0) / SESSION_BEST)
}
