import { foldText } from './fold-text.ts'
import { FUNCTION_WORDS } from './function-words.ts'
import { hedgingOf } from './hedges.ts'
import { areOpposite } from './opposites.ts'
import {
  isPersonWord,
  relatedTerm,
  type SentenceWord,
  sentenceWords,
  tokensOf,
} from './sentence-words.ts'
import { type Sentence, sentencesOf } from './sentences.ts'

/** A memory as it is looked for among the sentences of a person. */
export type Written =
  | { readonly type: 'statement'; readonly text: string }
  | {
      readonly type: 'claim'
      readonly subject: string
      readonly predicate: string
      readonly value: string
    }

/** The sentence of a person that states a memory, or one sentence of a memory. */
export interface StatingSentence {
  /** Position of the prompt in the list that was given. */
  readonly prompt: number
  readonly sentence: Sentence
  /** The sentence of the memory that is stated; a claim is stated whole. */
  readonly statement: string
  /** Words of the sentence that the memory says too. */
  readonly sharedWords: readonly string[]
}

const SHARE_MIN = 0.6 // of a memory's content words that one sentence must say
const PROMPT_CHARS_MAX = 20_000 // of one prompt; the rest of a longer prompt is most likely pasted

/**
 * Finds the sentence of a person that states a memory, in prompts ordered from newest to oldest. The
 * newest prompt that states or denies the memory decides. Questions, guesses, conditions, reports of
 * others and sentences about somebody else state nothing; nor do quoted or fenced lines.
 */
export function statingSentence(
  written: Written,
  prompts: readonly string[],
): StatingSentence | null {
  let wanted = wantedFrom(written)
  for (const [prompt, text] of prompts.entries()) {
    const sentences = sentencesOf(withoutPastes(text))
    const verdicts = wanted.map((each) => ({ each, verdict: verdictOf(each, sentences) }))
    const found = verdicts.reduce<Stated | null>(
      (best, { verdict }) => (isStated(verdict) && !isBetter(best, verdict) ? verdict : best),
      null,
    )
    if (found) return { prompt, ...found.found }
    wanted = verdicts.filter(({ verdict }) => verdict === null).map(({ each }) => each)
  }
  return null
}

/** A part of a text, in UTF-16 units. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/**
 * Judges whether sentences within a span of a person's text state a memory whole. Every sentence of
 * the memory needs a sentence of the person; one denial is enough for "denied". The text around the
 * span counts too, because a later sentence can take back an earlier one. Pure: an audit repeats it.
 */
export function stateOf(
  written: Written,
  text: string,
  span: TextSpan = { start: 0, end: text.length },
): 'stated' | 'denied' | 'unstated' {
  const sentences = sentencesOf(withoutPastes(text)).filter(({ start }) => start >= span.start)
  const verdicts = wantedFrom(written).map((wanted) => verdictOf(wanted, sentences))
  if (verdicts.includes('denied')) return 'denied'
  const isInSpan = (verdict: Verdict): boolean =>
    isStated(verdict) && verdict.found.sentence.end <= span.end
  return verdicts.length > 0 && verdicts.every(isInSpan) ? 'stated' : 'unstated'
}

/** The sentence of a memory, as it is compared. */
interface Wanted {
  readonly statement: string
  readonly words: readonly SentenceWord[]
  /** Terms that a stating sentence must hold: names, numbers, the subject, the value of a claim. */
  readonly required: readonly string[]
  /** The predicate of a claim, of which a stating sentence says one word. */
  readonly predicate: readonly string[]
  readonly isAboutPerson: boolean
}

function wantedFrom(written: Written): readonly Wanted[] {
  if (written.type === 'claim') return [claimWanted(written)]
  return sentencesOf(written.text)
    .map(({ text }) => statementWanted(text))
    .filter(({ words }) => words.length > 0)
}

function statementWanted(statement: string): Wanted {
  const words = sentenceWords(statement)
  const isAboutPerson = startsWithPerson(statement)
  const subject = isAboutPerson ? [] : words.slice(0, 1)
  const required = [...words.filter(({ isExact }) => isExact), ...subject].map(({ term }) => term)
  return { statement, words, required, predicate: [], isAboutPerson }
}

function claimWanted(claim: Extract<Written, { type: 'claim' }>): Wanted {
  const { subject, predicate, value } = claim
  const isAboutPerson = isPersonWord(foldText(subject)) || /^(?:i|me|we)$/i.test(subject)
  const words = [...(isAboutPerson ? [] : sentenceWords(subject)), ...sentenceWords(value)]
  return {
    statement: [subject, predicate, value].join(' '),
    words,
    required: words.map(({ term }) => term),
    predicate: sentenceWords(predicate.replace(/[_-]+/g, ' ')).map(({ term }) => relatedTerm(term)),
    isAboutPerson,
  }
}

/** "The user prefers …" is about the person; "The user's manager is …" is about the manager. */
function startsWithPerson(statement: string): boolean {
  const [first = '', second = ''] = foldText(statement).split(/\s+/)
  const name = /^(?:the|der|die|le|el|il|de)$/.test(first) ? second : first
  return /^(?:i|we)$/.test(name) || isPersonWord(name)
}

interface Stated {
  readonly share: number
  readonly found: Omit<StatingSentence, 'prompt'>
}

type Verdict = Stated | 'denied' | null

const isStated = (verdict: Verdict): verdict is Stated => verdict !== null && verdict !== 'denied'

/** Of two that share as much the first is kept. */
const isBetter = (best: Stated | null, other: Stated): boolean =>
  best !== null && best.share >= other.share

/** The best sentence of one prompt; a sentence that denies takes back what stands before it. */
function verdictOf(wanted: Wanted, sentences: readonly Sentence[]): Verdict {
  let verdict: Verdict = null
  for (const sentence of sentences) {
    const judged = judge(wanted, sentence.text)
    if (judged === 'denied') verdict = 'denied'
    if (judged === null || judged === 'denied') continue
    const { share, sharedWords } = judged
    if (isStated(verdict) && isBetter(verdict, { ...verdict, share })) continue
    verdict = { share, found: { sentence, statement: wanted.statement, sharedWords } }
  }
  return verdict
}

interface Judged {
  readonly share: number
  readonly sharedWords: readonly string[]
}

/** Judges one sentence of a person against one sentence of a memory. */
function judge(wanted: Wanted, sentence: string): Judged | 'denied' | null {
  const said = assertedPart(sentence)
  if (said === null || hedgingOf(said) > hedgingOf(wanted.statement)) return null
  if (isFormer(said) && !isFormer(wanted.statement)) return null
  const words = sentenceWords(said)
  const shared = wanted.words.filter((word) => words.some((other) => isSameWord(word, other)))
  const terms = new Set(shared.map(({ term }) => term))
  if (!wanted.required.every((term) => terms.has(term))) return null
  const all = new Set(wanted.words.map(({ term }) => term))
  const share = terms.size / all.size
  if (share < SHARE_MIN || !saysPredicate(wanted, words)) return null
  if (wanted.isAboutPerson && isAboutOther(said, all)) return null
  // One shared word is too little, unless the person speaks of themselves.
  if (wanted.isAboutPerson && all.size === 1 && !FIRST_PERSON.test(foldText(said))) return null
  if (isDenied(wanted, words)) return 'denied'
  const sharedWords = words
    .filter((word) => shared.some((other) => isSameWord(other, word)))
    .map(({ text }) => text)
  return { share, sharedWords: [...new Set(sharedWords)] }
}

const FIRST_PERSON = /(?<!\p{L})(?:i|me|my|we|us|our)(?!\p{L})/u
const ENDING_CHARS_MAX = 2 // endings may differ by so much in languages that are not stemmed
const STEM_CHARS_MIN = 4

function isSameWord(a: SentenceWord, b: SentenceWord): boolean {
  if (a.term === b.term || relatedTerm(a.term) === relatedTerm(b.term)) return true
  if (a.isExact || b.isExact) return false
  const shorter = Math.min(a.term.length, b.term.length) - 1
  const longer = Math.max(a.term.length, b.term.length)
  return (
    shorter >= STEM_CHARS_MIN &&
    longer - shorter <= ENDING_CHARS_MAX &&
    a.term.slice(0, shorter) === b.term.slice(0, shorter)
  )
}

const saysPredicate = ({ predicate }: Wanted, words: readonly SentenceWord[]): boolean =>
  predicate.length === 0 || words.some(({ term }) => predicate.includes(relatedTerm(term)))

/** A word that one side only affirms and the other only denies, or a word against its opposite. */
function isDenied(wanted: Wanted, words: readonly SentenceWord[]): boolean {
  return wanted.words.some((word) => {
    const same = words.filter((other) => isSameWord(word, other))
    if (same.length > 0) return same.every(({ isAffirmed }) => isAffirmed !== word.isAffirmed)
    return words.some(
      ({ term, isAffirmed }) => isAffirmed === word.isAffirmed && areOpposite(term, word.term),
    )
  })
}

const FORMER =
  /(?<!\b(?:am|is|are|was|were|be|get|got|'m|'re) )\bused to\b|\b(?:formerly|previously|in the past|back then|originally)\b/u
const isFormer = (text: string): boolean => FORMER.test(foldText(text))

const UNREAL =
  /\b(?:joking|kidding|pretend|imagine|suppose|let's say|hypothetically|(?:i|we) wish|(?:i|we) (?:should|could))\b|\b(?:would|'d)\b.*\b(?:if|unless)\b/u
const REPORT =
  /\b(?:told|tells?|said|says?|saying|claims?|claimed|thinks|thought|believes|mentioned|wrote|reads|according to)\b/u
const OWN_REPORT = /\b(?:i|we)(?:'ve| have)? (?:said|told|mentioned|wrote|say|tell)\b/u
const REQUEST_FOR_WORDS =
  /^(?:(?:please|and|now|then|ok) )*(?:write|print|echo|translate|repeat|rephrase|summari[sz]e|explain|say)\b/u
const QUESTION =
  /^(?:(?:and|but|so|ok|well|or|no|hey) )*(?:(?:what|which|who|whom|whose|where|why|how)\b|(?:does|did|is|are|was|were)\b|(?:do|does|did|is|are|was|were|am|can|could|would|should|shall|will|have|has|had|may|might)(?:n't)? (?:i|you|we|he|she|they|it|the|a|an|my|our|your|this|that|these|those|there|any|someone|\p{L}+ (?:or|\p{L}+(?:ed|ing))))\b/u
const CONDITION =
  /^(?:(?:and|but|so|or|only|even) )*(?:if|unless|when|whenever|in case|assuming)\b/u

/** The clauses in which a sentence asserts something; null where no clause does. */
function assertedPart(sentence: string): string | null {
  const folded = foldText(sentence)
  if (UNREAL.test(folded) || REQUEST_FOR_WORDS.test(folded)) return null
  if (REPORT.test(folded) && !OWN_REPORT.test(folded)) return null
  const clauses = sentence.split(/(?<=[,;:])\s+|\s+[–—-]\s+/u)
  const isAsked = /\?["'”’)\]]*\s*$/u.test(sentence)
  const asserted = clauses.filter((clause, at) => {
    if (isAsked && at === clauses.length - 1) return false
    const plain = foldText(clause)
    return !QUESTION.test(plain) && !CONDITION.test(plain)
  })
  return asserted.length === 0 ? null : asserted.join(' ')
}

const DISCOURSE = new Set(
  'honestly well ok okay so and but also please actually no yes now hey hi thanks wait from on always just by way then'.split(
    ' ',
  ),
)
const THIRD_PERSON = /^(?:is|was|has|had|does|did|will|would|told|said|\p{L}+[^s]s)$/u

/** "My sister is …", "Anna wants …", "they …": the subject is not the person, nor in the memory. */
function isAboutOther(said: string, terms: ReadonlySet<string>): boolean {
  const tokens = tokensOf(said).filter((token) => token !== ',')
  const start = tokens.findIndex((token) => !DISCOURSE.has(token))
  const [first = '', second = ''] = start < 0 ? [] : tokens.slice(start)
  const isKnown = (word: string): boolean => sentenceWords(word).some(({ term }) => terms.has(term))
  if (/^(?:he|she|it|they|his|her|their|its)$/.test(first)) return true
  if (/^(?:my|our|the|a|an|this|that)$/.test(first)) return !isKnown(second)
  if (FUNCTION_WORDS.has(first) || isPersonWord(first)) return false
  return THIRD_PERSON.test(second) && !isKnown(first)
}

const FENCE = /```[\s\S]*?(?:```|$)/g
const QUOTED_LINE = /^[ \t]*>.*$/gm

/** Blanks of the same length stand for pastes, so that positions stay as they are in the prompt. */
const withoutPastes = (text: string): string =>
  text
    .slice(0, PROMPT_CHARS_MAX)
    .replace(FENCE, (block) => block.replace(/[^\n]/g, ' '))
    .replace(QUOTED_LINE, (line) => ' '.repeat(line.length))
