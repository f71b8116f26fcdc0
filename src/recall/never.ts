import { openContractions, sameWord, sentencesOf } from '../domain/words/sentence-words.ts'
import { FUNCTION_WORDS, foldText, termsOf } from '../domain/words/terms.ts'

/** A deed that a statement denies for all time: "I have never used Bootstrap in this project". */
export interface DeniedDeed {
  /** Terms of the one who never did it; empty for "I" and "we". */
  readonly who: ReadonlySet<string>
  readonly verb: string
  /** Terms of what was never done. */
  readonly what: ReadonlySet<string>
}

const NEVER =
  /(?:^|[,;:] |\b(?:and|but|that|because|since|though|why) )((?:\p{L}+ ){1,3}?)(?:(?:have|has|had|am|is|ve|did) )?(?:actually |really |even )?never (?:actually |really |even |yet )?(?:(?:been|had|done) )?(\p{L}+) (.+?)(?=[,;:.!?]| but | so | because | since | though | and (?:i|we|now)\b|$)/gu
const FIRST_PERSON = /\b(?:i|im|ive|my|me|we|our|us)\b/u
const OF_ONE = /^(?:i|we)$/u
/** Deeds that are not done yet. */
const INTENDED =
  /\b(?:goals?|plan(?:s|ned|ning)? to|want(?:s|ed)? to|need(?:s|ed)? to|going to|will|hop(?:e|es|ing)|decid(?:e|es|ing)|deadline|start with|should|heard|before|if|ready to)\b/u
const SENTENCE_CHARS_MAX = 600
const CLAUSE_END = /, |; | but | and (?:i|we|now)\b| so i\b| because | though /u
const DENIED = /\b(?:not|never|no|without|nobody|nothing|neither|cannot|yet to)\b/u
/** Words that name the occasion and not the deed. */
const OCCASION = new Set(
  termsOf('any ever before project app related kind sort single actually one work using use such'),
)
const WHAT_MIN = 2
const SAID_MIN = 0.67 // share of the deed that one sentence says
const SAID_WITH_VERB_MIN = 0.34 // the same, where the sentence also says the verb
/** The request behind a statement: "…, can you help me with that?" */
const REQUEST =
  /(?:,|;| and| but| so)? (?:so )?(?:can|could|would|how|what|which|should|do|is|are|any|got any)\b[^,;]*\?$/u

const tellingIn = (text: string): readonly string[] =>
  (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])
    .filter((word) => !FUNCTION_WORDS.has(word))
    .flatMap(termsOf)
    .map(sameWord)
    .filter((term) => !OCCASION.has(term))

const plain = (text: string): string => openContractions(foldText(text)).replaceAll("'", ' ')

export function deniedDeeds(text: string): readonly DeniedDeed[] {
  if (!/\bnever\b/iu.test(text)) return []
  const sentences = sentencesOf(text).filter((each) => each.text.length <= SENTENCE_CHARS_MAX)
  return sentences.flatMap((sentence) =>
    [...plain(sentence.text).matchAll(NEVER)].flatMap(([, subject = '', verb = '', rest = '']) => {
      const who = subject.split(' ').filter((word) => word !== '' && !FUNCTION_WORDS.has(word))
      const isOfOne = subject.split(' ').some((word) => OF_ONE.test(word))
      const what = new Set(tellingIn(rest))
      if (what.size < WHAT_MIN || (!isOfOne && who.length === 0)) return []
      const others = isOfOne ? [] : who.flatMap(termsOf)
      return { who: new Set(others), verb: termsOf(verb)[0] ?? '', what }
    }),
  )
}

/** The sentence of a text that tells of a deed; null for none. */
export function tellsOf(text: string, deed: DeniedDeed): string | null {
  for (const { text: sentence } of sentencesOf(text)) {
    if (sentence.length > SENTENCE_CHARS_MAX) continue
    const folded = plain(sentence).replace(REQUEST, '')
    if (folded.endsWith('?') || !isBy(folded, deed)) continue
    if (folded.split(CLAUSE_END).some((clause) => isToldIn(clause, deed))) return sentence
  }
  return null
}

const isBy = (sentence: string, { who }: DeniedDeed): boolean => {
  if (who.size === 0) return FIRST_PERSON.test(sentence)
  const said = new Set(termsOf(sentence))
  return [...who].every((term) => said.has(term))
}

function isToldIn(clause: string, { verb, what }: DeniedDeed): boolean {
  if (INTENDED.test(clause) || DENIED.test(clause)) return false
  const said = new Set(tellingIn(clause))
  const held = [...what].filter((term) => said.has(term)).length
  const least = said.has(sameWord(verb)) ? SAID_WITH_VERB_MIN : SAID_MIN
  return held >= WHAT_MIN && held >= least * what.size
}
