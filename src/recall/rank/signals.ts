import type { Signals } from '../../domain/fusion.ts'
import { termsOf } from '../../domain/terms.ts'
import { nearest } from '../time/closeness.ts'
import { type Beside, besideOf, type Candidate, type Found, isFirstHand } from './candidates.ts'
import { type AskedTerms, type Passage, readPassage } from './passage.ts'
import type { Question } from './question.ts'
import { isAsking, isStandingWish, namesNumber, namesTime } from './said.ts'

const SCORE_UNIT = 10 // a good bm25 score
const ASKING_WEIGHT = 0.1 // of a term that is about the asking
const TURN_LENGTH = 40 // terms; what stands beside a longer one says less about it
const SESSION_BEST = 3 // turns that tell what a conversation is about
const SESSION_MAX = 0.8 // so that a conversation cannot replace a memory's own words

/** The signals of every candidate, in their order. */
export function signalsOf(question: Question, found: Found): readonly Signals[] {
  const asked = askedOf(question, found)
  const read = found.candidates.map(({ terms }) => readPassage(terms, asked))
  const all: Whole = {
    question,
    asked,
    byKey: new Map(found.candidates.map(({ seq }, at) => [seq, at])),
    candidates: found.candidates,
    passages: read,
    words: read.map(({ weights }) => weighed(weights, asked.idf) / SCORE_UNIT),
    beside: besideOf(found.runs),
  }
  const sessions = sessionWords(all)
  return found.candidates.map((_, at) => signalsAt(at, all, sessionSignal(at, all, sessions)))
}

interface Asked extends AskedTerms {
  readonly idfSum: number
  /** Speakers whom the question names. */
  readonly named: ReadonlySet<string>
}

interface Whole {
  readonly question: Question
  readonly asked: Asked
  readonly byKey: ReadonlyMap<number, number>
  readonly candidates: readonly Candidate[]
  readonly passages: readonly Passage[]
  readonly words: readonly number[]
  readonly beside: Beside
}

/** A speaker's name says whose words are asked for, not which: others say it more often. */
function askedOf(question: Question, { documents, holding, candidates }: Found): Asked {
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

// Loops, not lists of their own: this is gone through for every candidate of every question.
function weighed(weights: readonly number[], idf: readonly number[]): number {
  let sum = 0
  for (let at = 0; at < weights.length; at += 1) sum += (weights[at] ?? 0) * (idf[at] ?? 0)
  return sum
}

/** What the terms that are there at all are worth. */
function covered(weights: readonly number[], idf: readonly number[]): number {
  let sum = 0
  for (let at = 0; at < weights.length; at += 1) if ((weights[at] ?? 0) > 0) sum += idf[at] ?? 0
  return sum
}

const flag = (said: boolean): number => (said ? 1 : 0)

/** One literal: put together from parts it costs more than what is worked out. */
function signalsAt(at: number, all: Whole, session: number): Signals {
  const { question, asked, passages, words } = all
  const candidate = all.candidates[at] as Candidate // one for each
  const { terms, speaker, label, atMs, strength, cosine } = candidate
  const firstHand = isFirstHand(candidate)
  const passage = passages[at] as Passage // one for each candidate
  const byModel = label === 'ModelDerived' || label === 'RecallReEntry'
  const { before, after, around, answers } = besideSignals(at, all)
  return {
    words: words[at] ?? 0,
    coverage: covered(passage.weights, asked.idf) / asked.idfSum,
    phrase: phraseOf(passage, asked) / SCORE_UNIT,
    meaning: cosine ?? 0,
    kind: kindOf(terms, passage, all),
    speaker: flag(speaker !== null && asked.named.has(speaker)),
    firstHand: flag(firstHand),
    youSaid: flag(byModel && question.asksWhatYouSaid),
    summary: flag(byModel && question.asksSummary),
    time: nearest(question.times, atMs),
    dated: flag(question.asksWhen && namesTime(terms)),
    counted: flag(question.asksHowMany && namesNumber(terms)),
    standing: flag(question.asksOfNow && firstHand && isStandingWish(terms)),
    length: Math.log(1 + terms.length),
    strength,
    before,
    after,
    around,
    answers,
    session,
  }
}

/** Of each term that it lacks the best kind that it names, seldom terms counting more. */
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

function phraseOf({ pairs }: Passage, asked: Asked): number {
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
  // Whoever can write beside a memory could lift it, or lift others past it.
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

/** What one passage holds of the question that another lacks; long ones speak for themselves. */
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

/** The best scores by words in one session, best first. */
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
  [...best, score].sort((a, b) => b - a).slice(0, SESSION_BEST)

/** Memories that are not first-hand gain nothing from each other: five notes are no conversation. */
function sessionSignal(
  at: number,
  { candidates, words }: Whole,
  sessions: ReadonlyMap<string, SessionWords>,
): number {
  const candidate = candidates[at] as Candidate // one for each
  const known = candidate.session === null ? undefined : sessions.get(candidate.session)
  if (known === undefined) return 0
  const scores = isFirstHand(candidate) ? known.all : bestOf(known.firstHand, words[at] ?? 0)
  return Math.min(SESSION_MAX, scores.reduce((sum, score) => sum + score, 0) / SESSION_BEST)
}
