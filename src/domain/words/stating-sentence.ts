import { isTurnedBeside } from './beside-quote.ts'
import { hedgingOf } from './lexicons.ts'
import { assertedPart, type Mood, moodsOf, type Reading, wordsBehind } from './moods.ts'
import { isOwnLabel, withoutPastes } from './pasted-text.ts'
import {
  isSaid,
  knownIn,
  plainFrame,
  type Wanted,
  type Written,
  wantedFrom,
} from './plain-frame.ts'
import {
  FIRST_PERSON,
  hasForeignLead,
  hasLongerName,
  hasOtherOwner,
  isAboutOther,
  isPastOf,
  takeBackAt,
} from './sentence-subject.ts'
import {
  areOpposite,
  isSameWord,
  relatedTerm,
  type Sentence,
  type SentenceWord,
  sentencesOf,
  sentenceWords,
  tokensOf,
} from './sentence-words.ts'
import { foldText, termsOf } from './terms.ts'
import { saysAll } from './whole-sentence.ts'

/** The sentence of a person that states a memory, or one sentence of a memory. */
interface StatingSentence {
  /** Position of the prompt in the list that was given. */
  readonly prompt: number
  readonly sentence: Sentence
  /** The stated sentence of the memory; a claim is stated whole. */
  readonly statement: string
  readonly sharedWords: readonly string[]
}

/** Version of these rules. Other verdicts need another number, so an audit knows its own. */
export const STATEMENT_RULES = ['muniment/statements/5'] as const

const SHARE_MIN = 0.6 // share of a memory's content words that a single sentence must say

/**
 * Finds the sentence of a person that states a memory, in prompts ordered from newest to oldest. The
 * newest prompt that states, denies or takes back the memory decides. Only a plain assertion states:
 * `plain-frame.ts` lists the shapes of sentences that assert a claim, `moods.ts` every other way to
 * say words, and `pasted-parts.ts` finds words of other authors.
 */
export function statingSentence(
  written: Written,
  prompts: readonly string[],
): StatingSentence | null {
  let wanted = wantedFrom(written)
  let isTakenBack = false
  for (const [prompt, text] of prompts.entries()) {
    const sentences = ownSentences(text)
    const verdicts = wanted.map((each) => ({ each, verdict: verdictOf(each, sentences, 'plain') }))
    const found = verdicts.reduce<Stated | null>(
      (best, { verdict }) => (isStated(verdict) && !isBetter(best, verdict) ? verdict : best),
      null,
    )
    if (found && !isTakenBack) return { prompt, ...found.found }
    wanted = verdicts.filter(({ verdict }) => verdict === null).map(({ each }) => each)
    // A prompt that begins by taking something back speaks of the prompt before.
    isTakenBack = takeBackAt(sentences[0]?.own ?? '') >= 0
  }
  return null
}

/** A part of a text, in UTF-16 units. */
interface TextSpan {
  readonly start: number
  readonly end: number
}

/**
 * Judges whether sentences within a span of a person's text state a memory whole. Every sentence of
 * the memory needs a sentence of the person; one denial is enough for "denied". The text around the
 * span counts too, because a later sentence can take back an earlier one. Pure: an audit repeats it.
 * A careful reading, which quotes use, takes more sentences for unstated.
 */
export function stateOf(
  written: Written,
  text: string,
  span: TextSpan = { start: 0, end: text.length },
  reading: Reading = 'careful',
): 'stated' | 'denied' | 'unstated' {
  const all = ownSentences(text)
  const sentences = all.filter(({ sentence }) => sentence.start >= span.start)
  const verdicts = wantedFrom(written).map((wanted) => verdictOf(wanted, sentences, reading))
  if (verdicts.includes('denied')) return 'denied'
  const isInSpan = (verdict: Verdict): boolean =>
    isStated(verdict) && verdict.found.sentence.end <= span.end
  if (verdicts.length === 0 || !verdicts.every(isInSpan)) return 'unstated'
  if (reading !== 'careful') return 'stated'
  const before = all.findLast(({ sentence }) => sentence.end <= span.start)
  const after = all.find(({ sentence }) => sentence.start >= span.end)
  const others = all.map(({ own }) => own)
  return isTurnedBeside(before?.own, after?.own, others) ? 'unstated' : 'stated'
}

/** A sentence of a prompt, and its words without words of other authors. */
interface OwnSentence {
  readonly sentence: Sentence
  readonly own: string
  /** The sentence before ends in "e.g.", so this sentence goes on with an example. */
  readonly isExample: boolean
}

const SENTENCE_CHARS_MAX = 1_000 // a longer sentence is no plain assertion

const EXAMPLE_AHEAD = /(?<!\p{L})(?:e\.\s?g|z\.\s?b|p\.\s?ex|p\.\s?ej)\.?$/iu

const ownSentences = (text: string): readonly OwnSentence[] =>
  sentencesOf(withoutPastes(text))
    .map(({ text: own, start, end }, at, all) => ({
      sentence: { text: text.slice(start, end), start, end },
      own,
      isExample: EXAMPLE_AHEAD.test(all[at - 1]?.text.slice(-8) ?? ''),
    }))
    .filter(({ own }) => own.length <= SENTENCE_CHARS_MAX)

interface Stated {
  readonly share: number
  readonly found: Omit<StatingSentence, 'prompt'>
}

type Verdict = Stated | 'denied' | null

const isStated = (verdict: Verdict): verdict is Stated => verdict !== null && verdict !== 'denied'

/** Between equal shares the first sentence stays. */
const isBetter = (best: Stated | null, other: Stated): boolean =>
  best !== null && best.share >= other.share

/** The best sentence of one prompt; a sentence that denies takes back the sentences before. */
function verdictOf(wanted: Wanted, sentences: readonly OwnSentence[], reading: Reading): Verdict {
  let verdict: Verdict = null
  for (const each of sentences) {
    const takesBack = takeBackAt(each.own) >= 0 || isMereJoke(each.own)
    if (takesBack && (isStated(verdict) || namesSubject(wanted, each.own))) verdict = 'denied'
    const judged = judge(wanted, each, reading)
    if (judged === 'denied') verdict = 'denied'
    if (judged === null || judged === 'denied') continue
    const { share, sharedWords } = judged
    if (isStated(verdict) && isBetter(verdict, { ...verdict, share })) continue
    const { sentence } = each
    verdict = { share, found: { sentence, statement: wanted.statement, sharedWords } }
  }
  return verdict
}

const JOKE_WORDS_MAX = 4

/** "Yeah, right." after a sentence says that the sentence was not meant. */
const isMereJoke = (own: string): boolean =>
  own.split(/\s+/u).length <= JOKE_WORDS_MAX && moodsOf(own).has('joke')

/** "Forget what I said about my birthday" speaks of a memory about the birthday. */
const namesSubject = ({ words }: Wanted, own: string): boolean =>
  sentenceWords(own).some((said) => words.some((word) => isSameWord(word, said)))

interface Judged {
  readonly share: number
  readonly sharedWords: readonly string[]
}

/** Moods in which the person says that the words are not so. */
const DENYING: ReadonlySet<Mood> = new Set(['whole denial', 'near denial', 'ended', 'exclusion'])
/** Moods that change the facts: a memory in a binding mood needs a sentence in the same mood. */
const BINDING: ReadonlySet<Mood> = new Set([...DENYING, 'past', 'condition'])

/** Judges one sentence of a person against one sentence of a memory. */
function judge(
  wanted: Wanted,
  { own, isExample }: OwnSentence,
  reading: Reading,
): Judged | 'denied' | null {
  const asserted = isExample ? null : assertedPart(withoutLead(own), reading)
  if (asserted === null || isTakenBackInside(own)) return null
  const said = reading === 'careful' ? asserted : mainClause(wanted, asserted)
  if (hasReporter(wanted, said)) return null
  const words = sentenceWords(said)
  const shared = wanted.words.filter((word) => words.some((other) => isSaid(word, other)))
  const terms = new Set(shared.map(({ term }) => term))
  if (!wanted.required.every((term) => terms.has(term))) return null
  const all = new Set(wanted.words.map(({ term }) => term))
  const share = terms.size / all.size
  if (share < SHARE_MIN || hasForeignLabel(wanted, said)) return null
  const frame = plainFrame(wanted, said)
  if (frame === null && isAboutElse(wanted, { said, words }, reading)) return null
  const moods = otherMoods(wanted, said, reading)
  if (moods.some((mood) => DENYING.has(mood)) || isDenied(wanted, words)) return 'denied'
  if (moods.length > 0 || hedgingOf(said) > hedgingOf(wanted.statement)) return null
  // After the denials: a sentence in any order takes back the sentences before.
  const isStatement = wanted.claim === null
  if (isStatement ? isOtherStatement(wanted, { said, words }, reading) : frame === null) return null
  if (frame !== 'deed' && isPastOf(said, wanted.statement)) return null
  if (hasLongerName(own, wanted.statement, reading)) return null
  if (reading === 'careful' && !saysAll(wanted, asserted)) return null
  const sharedWords = words
    .filter((word) => shared.some((other) => isSameWord(other, word)))
    .map(({ text }) => text)
  return { share, sharedWords: [...new Set(sharedWords)] }
}

const LEAD =
  /^(?:(?:please|also|and|so|ok|okay),? )*(?:(?:remember|note|keep in mind|be aware|know|for the record|fyi|btw|by the way|hi|hello|hey|well|ps|update|one more thing|another thing|just so you know)(?:,|:| that)+|to be clear,) /iu

/** "Please remember that my name is Ann" states the words behind the lead. */
const withoutLead = (own: string): string => own.replace(LEAD, '')

const REASON =
  /,? (?:because|so that|since (?=\p{L}+ (?:\p{L}+ )?(?:is|are|was|were|has|have)\b))|, so (?!far|long|to |they|he |she |i'm )|; /iu

/** "I am colour-blind, so no red next to green": a clause that holds the whole memory speaks for itself. */
function mainClause(wanted: Wanted, said: string): string {
  const [clause = said] = said.split(REASON)
  const words = sentenceWords(clause)
  const isWhole = wanted.words.every((word) => words.some((other) => isSaid(word, other)))
  return isWhole ? clause : said
}

const SUBORDINATE = /^([^,;:]+?) that (?:the|a|an|my|our|i|we|it|this|all|\p{Lu})/u
const COMMITTED =
  /^(?:i|we|it|this|please|remember|note|also|so|the (?:thing|point|fact|news) is)(?!\p{L})/u

/** "Jo keeps saying that our year ends in June": the words before "that" name somebody who says so. */
function hasReporter(wanted: Wanted, said: string): boolean {
  const lead = SUBORDINATE.exec(said)?.[1]
  if (lead === undefined || COMMITTED.test(foldText(lead))) return false
  return lead.includes(' ') && !sentenceWords(lead).some(knownIn(wanted))
}

/** Moods of the sentence that the memory lacks, and binding moods of the memory that the sentence lacks. */
function otherMoods(wanted: Wanted, sentence: string, reading: Reading): readonly Mood[] {
  const said = moodsOf(
    wanted.isAboutPerson ? sentence : sentence.replace(THING_NEEDS, '$1$2is'),
    reading,
  )
  const isNegated = wanted.words.some(({ isAffirmed }) => !isAffirmed)
  const inMemory = reading === 'plain' ? wanted.moods : moodsOf(wanted.statement, reading)
  const isExpected = (mood: Mood): boolean =>
    inMemory.has(mood) || (isNegated && (mood === 'ended' || mood === 'options'))
  const isFarOff = (mood: Mood): boolean =>
    (mood === 'approximation' && !isApproximated(sentence, knownIn(wanted))) ||
    (mood === 'past' && isStillSo(sentence))
  const missing = [...wanted.moods].filter((mood) => BINDING.has(mood) && !said.has(mood))
  return [
    ...[...said].filter((mood) => !isExpected(mood) && !isFarOff(mood)),
    ...missing.filter((m) => !DENYING.has(m)),
  ]
}

/** "The car needs diesel" and "Pull requests need two approvals" tell no wish of a person. */
const THING_NEEDS =
  /^((?:the|our|each|every) (?:[\p{L}-]+ ){1,3})needs\b|^((?:[\p{L}-]+ ){0,2}[\p{L}-]+s )need\b/iu

const NOW = /(?<!\p{L})(?:now|currently|since|these days|today)(?!\p{L})/u

/** "I moved here last month and live here now" tells when, and holds now. */
const isStillSo = (sentence: string): boolean =>
  NOW.test(foldText(sentence)) && !moodsOf(sentence, 'plain').has('past')

/** "I live in Lisbon, close to the river" approximates the river, and no word of the memory. */
const isApproximated = (sentence: string, isKnown: (word: SentenceWord) => boolean): boolean =>
  wordsBehind(sentence, 'approximation').some((words) => sentenceWords(words).some(isKnown))

const LEAD_CHARS_MAX = 12 // "Sorry, no wait, the limit is 50" takes back what stands before

/** "I live in Bergen, just kidding": the sentence takes itself back. */
function isTakenBackInside(own: string): boolean {
  const at = takeBackAt(own)
  return at > LEAD_CHARS_MAX
}

interface Said {
  readonly said: string
  readonly words: readonly SentenceWord[]
}

/** The sentence speaks of another subject, or says no word of the predicate of a claim. */
function isAboutElse(wanted: Wanted, { said, words }: Said, reading: Reading): boolean {
  const { claim, predicate, isAboutPerson, named, moods } = wanted
  if (claim !== null && !words.some(({ term }) => predicate.includes(relatedTerm(term))))
    return true
  if (!isAboutPerson) return isPartOfSubject(wanted, said)
  const isKnown = knownIn(wanted)
  const isWord = (token: string): boolean => named.has(token)
  const isWant = moods.has('want')
  if (isAboutOther(said, { isKnown, isWord, verb: wanted.words[0], isWant, reading })) return true
  return new Set(wanted.words.map(({ term }) => term)).size === 1 && !isPlainlyOwn(wanted, said)
}

/**
 * One shared word is enough only where the person speaks of themselves and says no other word before
 * it: "We use Jenkins", not "We evaluated Jenkins".
 */
function isPlainlyOwn(wanted: Wanted, said: string): boolean {
  const isKnown = knownIn(wanted)
  if (!FIRST_PERSON.test(foldText(said))) return false
  const clause = said
    .split(/[,;]\s+|\s+and\s+/u)
    .map((part) => sentenceWords(part))
    .find((part) => part.some(isKnown))
  return clause === undefined || isKnown(clause[0] as SentenceWord)
}

/** "The draft of the thesis is due": the sentence speaks of the draft, the memory of the thesis. */
function isPartOfSubject(wanted: Wanted, said: string): boolean {
  const [subject] = wanted.words
  if (subject === undefined) return false
  const tokens = tokensOf(said)
  const at = tokens.findIndex((token) =>
    sentenceWords(token).some((word) => isSameWord(word, subject)),
  )
  const before = tokens.slice(0, Math.max(at, 0)).join(' ')
  const owner = /(\p{L}+) of(?: (?:the|my|our|a|an))?$/u.exec(before)?.[1]
  return owner !== undefined && !sentenceWords(owner).some(knownIn(wanted))
}

/** The sentence says another thing than the statement, though it shares enough words. */
function isOtherStatement(wanted: Wanted, { said, words }: Said, reading: Reading): boolean {
  const isKnown = knownIn(wanted)
  if (reading === 'careful' && hasOtherOwner(said, isKnown)) return true
  if (reading === 'careful' && hasForeignLead(said, (word) => isKnown(word) || isRelation(word)))
    return true
  return isReplaced(wanted, words)
}

const LABEL = /^\s*([^:,;\d]{1,40}):\s/u

/** "Paul: release 4.2 ships today": the label names a speaker unknown to the memory. */
function hasForeignLabel(wanted: Wanted, said: string): boolean {
  const label = LABEL.exec(said)?.[1]
  if (label === undefined || isOwnLabel(label)) return false
  return !sentenceWords(label).some(knownIn(wanted))
}

/** A word that one side only affirms and the other only denies, or a word against its opposite. */
function isDenied(wanted: Wanted, words: readonly SentenceWord[]): boolean {
  return wanted.words.some((word) => {
    const same = words.filter((other) => isSameWord(word, other))
    if (word.isSubjectOfDenial || same.some(({ isSubjectOfDenial }) => isSubjectOfDenial))
      return false
    if (same.length > 0) return same.every(({ isAffirmed }) => isAffirmed !== word.isAffirmed)
    return words.some(
      ({ term, isAffirmed }) => isAffirmed === word.isAffirmed && areOpposite(term, word.term),
    )
  })
}

/** Words that a memory adds to say how a person stands to a thing. */
const RELATIONS = new Set(
  termsOf(
    'prefer like love enjoy happen decide chose chosen pick settle choose want ask request instruct call name set work live know say state require be have do run give provide mean answer write',
  ),
)

const isRelation = ({ term }: SentenceWord): boolean => RELATIONS.has(term)

/**
 * The memory and the sentence each say a word that the other lacks: "prefers tabs in Python files"
 * against "I prefer spaces in Python files".
 */
function isReplaced(wanted: Wanted, words: readonly SentenceWord[]): boolean {
  const lacks = (list: readonly SentenceWord[]) => (word: SentenceWord) =>
    !isRelation(word) && !list.some((other) => isSaid(word, other))
  return wanted.words.some(lacks(words)) && words.some(lacks(wanted.words))
}
