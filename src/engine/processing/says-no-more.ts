import { type Hedging, hedgingOf } from '../../domain/words/lexicons.ts'
import { FUNCTION_WORDS, foldText, queryTerms, termsOf } from '../../domain/words/terms.ts'
import { isInstructionLike } from '../../recall/instruction-like.ts'
import type { DroppedReason } from './dropped-reasons.ts'

/** The support of a draft. */
export interface Rests {
  /** Whole quoted sentences. */
  readonly quoted: readonly string[]
  /** Whole texts of the sources. */
  readonly sources: readonly string[]
}

const SHARED_MIN = 0.34 // share of a draft's telling words that its quotes must contain …
const FEW_TERMS = 4 // … and with fewer words than these, more than half
const SHARED_OF_FEW = 0.51
const DRAWN_ON_FROM = 0.5 // of a sentence's telling words: a draft with this share repeats the sentence

/** The reason why a draft overstates its quotes, or null. */
export function overstated(text: string, { quoted, sources }: Rests): DroppedReason | null {
  if (UNSEEN.test(text)) return 'unseen_characters'
  if (text.split('\n').some(isInstructionLike)) return 'reads_like_instruction'
  if (hedgingOf(text) < doubtIn(text, { quoted, sources })) return 'hedge_dropped'
  const denied = quoted.map(denies)
  if (!denies(text) && denied.every(Boolean)) return 'negation_dropped'
  if (denies(text) && !denied.some(Boolean)) return 'negation_added'
  const said = quoted.join('\n')
  const known = new Set(termsOf(said))
  if (hasOwnParticulars(text, said, known)) return 'invented_particular'
  // Each long sentence is checked alone, because one supported beginning must not cover the rest.
  const long = sentencesOf(text).filter((sentence) => queryTerms(sentence).length >= FEW_TERMS)
  return [text, ...long].every((part) => isSupported(part, known)) ? null : 'not_in_sources'
}

/**
 * The highest doubt among the quotes and the repeated sentences: a plain source or quote must not
 * hide the doubt of another sentence.
 */
function doubtIn(text: string, { quoted, sources }: Rests): Hedging {
  const used = new Set(termsOf(text))
  const isDrawnOn = (sentence: string): boolean => {
    const terms = queryTerms(sentence)
    const shared = terms.filter((term) => used.has(term)).length
    return terms.length > 0 && shared >= terms.length * DRAWN_ON_FROM
  }
  const drawnOn = sources.flatMap(sentencesOf).filter(isDrawnOn)
  return Math.max(0, ...[...quoted, ...drawnOn].map(hedgingOf)) as Hedging // the highest of them
}

function isSupported(part: string, known: ReadonlySet<string>): boolean {
  const terms = queryTerms(part)
  const shared = terms.filter((term) => known.has(term)).length
  const share = terms.length < FEW_TERMS ? SHARED_OF_FEW : SHARED_MIN
  return shared >= Math.max(1, terms.length * share)
}

const DENIES = /\b(?:not|no|never|none|nobody|nothing|without|cannot|neither|nor)\b|n't\b/u
const denies = (text: string): boolean => DENIES.test(foldText(text))

// Invisible characters still read by models: controls, bidirectional marks, tags, blanks.
const UNSEEN = /(?![\n\t\r\u200c\u200d])[\p{Cc}\p{Cf}]/u

const NUMBERS = /\d+(?:[.,:]\d+)*/gu
const ADDRESSES =
  /[\w.+-]+@[\w-]+\.[\w.]+|https?:\/\/[^\s)]+|(?:[\w-]+\.)+(?:com|org|net|io|dev|ai)\b/gu
const CAPITALISED = /(?<![\p{L}\p{N}'])\p{Lu}[\p{L}\p{N}]+/gu

/**
 * True for numbers, addresses or names that the sources lack. Each must match as a whole, because
 * "15" does not support "5", nor "planned" "Ann". A sentence begins with a capital anyway, so a
 * draft must begin with a word of its sources.
 */
function hasOwnParticulars(text: string, said: string, known: ReadonlySet<string>): boolean {
  const isSaid = (pattern: RegExp): boolean => {
    const there = new Set(foldText(said).match(pattern))
    return (foldText(text).match(pattern) ?? []).every((found) => there.has(found))
  }
  const names = (text.match(CAPITALISED) ?? []).filter((word) => !isFunctionWord(word))
  const areNamed = names.every((name) => termsOf(name).every((term) => known.has(term)))
  return !(isSaid(NUMBERS) && isSaid(ADDRESSES) && areNamed)
}

const isFunctionWord = (word: string): boolean => FUNCTION_WORDS.has(foldText(word))

const SENTENCE = /[^\n]+?(?:[.!?]+(?=\s|$)|(?=\n)|$)/gu

export const sentencesOf = (text: string): readonly string[] => text.match(SENTENCE) ?? [text]
