import { contentText, parseBody } from '../../domain/kinds/table.ts'
import { type Hedging, hedgingOf } from '../../domain/words/lexicons.ts'
import { FUNCTION_WORDS, foldText, queryTerms, termsOf } from '../../domain/words/terms.ts'
import { isInstructionLike } from '../../recall/instruction-like.ts'
import type { Drafted } from './prompt.ts'
import type { Source, Transition } from './rules.ts'

/** The support of a draft. */
interface Rests {
  readonly quoted: readonly string[]
  /** Whole texts of the sources. */
  readonly sources: readonly string[]
}

const SHARED_MIN = 0.34 // share of a draft's telling words that its quotes must contain …
const FEW_TERMS = 4 // … and with fewer words than these, more than half
const SHARED_OF_FEW = 0.51
const DRAWN_ON_FROM = 0.5 // of a sentence's telling words: a draft with this share repeats the sentence

/** The reason why a draft overstates its quotes, or null. */
function overstated(text: string, { quoted, sources }: Rests): DroppedReason | null {
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

const sentencesOf = (text: string): readonly string[] => text.match(SENTENCE) ?? [text]

export type CheckedDraft =
  | {
      readonly ok: true
      readonly body: object
      readonly text: string
      readonly confidence: number
      readonly refs: readonly string[]
    }
  | { readonly ok: false; readonly reason: DroppedReason }

const QUOTE_TERMS_MIN = 3 // telling words of a quote: shorter quotes match almost any text
const CONFIDENCE_MAX = 0.8 // of memories drawn from sources; a person may state more

/**
 * Checks that a draft states no more than its citations: known sources, exact quotes, enough of
 * both, no lost hedge or negation, no invented name or number.
 */
export function holdsUp(
  { content, confidence, cites }: Drafted,
  sources: ReadonlyMap<string, Source>,
  transition: Transition,
): CheckedDraft {
  const body = bodyOf(transition, content)
  if (body === null) return dropped('not_of_its_kind')
  const text = contentText(transition.to, body)
  const cited = cites.map(({ source, quote }) => ({ quote, source: sources.get(source) }))
  const known = cited.flatMap(({ source }) => source ?? [])
  if (known.length < cited.length) return dropped('unknown_source')
  const quoted = cited.map(({ quote, source }) => sentencesAround(source?.text ?? '', quote))
  if (quoted.some((sentences) => sentences === null)) return dropped('quote_not_found')
  if (cites.some(({ quote }) => queryTerms(quote).length < shortest(transition)))
    return dropped('quote_too_short')
  const distinct = new Map(known.map((source) => [source.ref, source]))
  if (distinct.size < transition.sourcesMin) return dropped('too_few_sources')
  const rested = [...distinct.values()]
  if (transition.protectedOnly && rested.some(({ isProtected }) => !isProtected))
    return dropped('not_protected')
  const sure = Math.min(CONFIDENCE_MAX, confidence, mean(rested.map((each) => each.confidence)))
  if (sure < transition.confidenceMin) return dropped('too_unsure')
  const sentences = quoted.flatMap((found) => found ?? [])
  const fault = overstated(text, { quoted: sentences, sources: rested.map((each) => each.text) })
  if (fault) return dropped(fault)
  return { ok: true, body, text, confidence: sure, refs: [...distinct.keys()] }
}

const dropped = (reason: DroppedReason): CheckedDraft => ({ ok: false, reason })

/** A capture may be short and is quoted whole; other sources must state more. */
const shortest = ({ from }: Transition): number => (from === 'raw' ? 1 : QUOTE_TERMS_MIN)

function bodyOf({ to }: Transition, content: object): object | null {
  try {
    return parseBody(to, content)
  } catch {
    return null
  }
}

const plainly = (text: string): string => foldText(text).replace(/\s+/gu, ' ').trim()

/** The whole sentences that a quote touches, or null where the source lacks the quote. */
function sentencesAround(source: string, quote: string): readonly string[] | null {
  const wanted = plainly(quote)
  if (wanted === '' || !plainly(source).includes(wanted)) return null
  const sentences = sentencesOf(source).filter((sentence) => plainly(sentence) !== '')
  const plain = sentences.map(plainly)
  const from = plain.join(' ').indexOf(wanted)
  if (from < 0) return [source] // split differently: use the whole source
  let start = 0
  return sentences.filter((_, at) => {
    const end = start + (plain[at] ?? '').length
    const isTouched = start < from + wanted.length && end > from
    start = end + 1
    return isTouched
  })
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Reasons to drop a draft. The list is closed, so that each reason can be counted. */
const DROPPED_REASONS = [
  'not_of_its_kind',
  'unknown_source',
  'quote_not_found',
  'quote_too_short',
  'too_few_sources',
  'not_protected',
  'too_unsure',
  'hedge_dropped',
  'negation_dropped',
  'negation_added',
  'reads_like_instruction',
  'unseen_characters',
  'invented_particular',
  'not_in_sources',
  'already_known',
] as const

export type DroppedReason = (typeof DROPPED_REASONS)[number]
