import { foldText } from '../../domain/fold-text.ts'
import { FUNCTION_WORDS } from '../../domain/function-words.ts'
import { type Hedging, hedgingOf } from '../../domain/hedges.ts'
import { queryTerms, termsOf } from '../../domain/terms.ts'
import { isInstructionLike } from '../../recall/instruction-like.ts'
import type { DroppedReason } from './dropped-reasons.ts'

/** What a draft rests on. */
export interface Rests {
  /** The whole sentences that were quoted. */
  readonly quoted: readonly string[]
  /** All that its sources say. */
  readonly sources: readonly string[]
}

const SHARED_MIN = 0.34 // of a draft's telling words that what it quotes must use …
const FEW_TERMS = 4 // … and of fewer than these, more than half
const SHARED_OF_FEW = 0.51
const DRAWN_ON_FROM = 0.5 // of a sentence's telling words: a draft that uses so many says it again

/** Why a draft says more than the sentences it quotes, or null where it does not. */
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
  // Of a long text only the beginning would count if its sentences were not looked at one by one.
  const long = sentencesOf(text).filter((sentence) => queryTerms(sentence).length >= FEW_TERMS)
  return [text, ...long].every((part) => isSupported(part, known)) ? null : 'not_in_sources'
}

/**
 * The most doubtful of what it rests on: one plain source must not launder the others, nor one plain
 * quote a doubtful sentence beside it that the draft says again without quoting it.
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

// What no reader sees and a model may still read: controls, turned reading, tags, blanks of no width.
const UNSEEN = /(?![\n\t\r\u200c\u200d])[\p{Cc}\p{Cf}]/u

const NUMBERS = /\d+(?:[.,:]\d+)*/gu
const ADDRESSES =
  /[\w.+-]+@[\w-]+\.[\w.]+|https?:\/\/[^\s)]+|(?:[\w-]+\.)+(?:com|org|net|io|dev|ai)\b/gu
const CAPITALISED = /(?<![\p{L}\p{N}'])\p{Lu}[\p{L}\p{N}]+/gu

/**
 * What cannot be had by thinking about the sources: numbers, addresses, names. Each is looked for
 * whole, since "5" is not said by "15" nor "Ann" by "planned". At the beginning of a sentence a name
 * cannot be told from any other word, so that a draft has to begin with a word it was given.
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
