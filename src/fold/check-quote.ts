import { normaliseText } from '../domain/kinds/content.ts'
import { denies, type Hedging, hedgingOf } from '../domain/words/lexicons.ts'
import type { Written } from '../domain/words/plain-frame.ts'
import { type Sentence, sentencesOf } from '../domain/words/sentence-words.ts'
import { stateOf } from '../domain/words/stating-sentence.ts'
import { tellingWords, termOf } from '../domain/words/terms.ts'

/** The statement that a quote supports: a claim's value or a belief's words, and the whole memory. */
export type Quoted = {
  readonly written?: Written
  /** Rules of another version judged whether a sentence states the memory, and may have agreed. */
  readonly isByOtherRules?: true
} & (
  | { readonly type: 'value'; readonly value: string }
  | { readonly type: 'statement'; readonly statement: string }
)

/** Reasons for which words are no quote. The list is closed, so that a door can explain each reason. */
export const QUOTE_FAULTS = [
  'quote_misplaced', // only what a model claims or believes is anchored by a quote
  'quote_source', // nothing first-hand is cited that was not captured for the one who quotes
  'quote_not_found', // not word for word in any of it
  'quote_partial', // it begins or ends within a sentence
  'quote_too_short',
  'quote_without_value', // it does not say what is claimed
  'quote_denied', // it denies what is claimed, or the other way round
  'quote_hedged', // it leaves open what is claimed
] as const
export type QuoteFault = (typeof QUOTE_FAULTS)[number]

/** Place of the quote in its source, in UTF-16 units. */
export interface FoundQuote {
  readonly start: number
  readonly end: number
}

const WORDS_MIN = 3 // telling words of a quote: fewer are found in anything
const SHARED_MIN = 500 // thousandths of a belief's telling words that its quote must have

/**
 * The list of words for doubt by which a quote was judged. A quote judged by another list is checked
 * again in every respect but doubt.
 */
export type HedgesOf = 'ours' | 'others'

/** Checks that a text holds a quote as whole sentences, and that the sentences state the memory. */
export function checkQuote(
  quote: string,
  source: string,
  quoted: Quoted,
  hedges: HedgesOf = 'ours',
): FoundQuote | Exclude<QuoteFault, 'quote_misplaced' | 'quote_source'> {
  const words = quote.trim()
  const at = words === '' ? -1 : placeOf(words, source)
  if (at === null) return 'quote_partial'
  if (at < 0) return 'quote_not_found'
  const found = { start: at, end: at + words.length }
  const says = saysIt(words, quoted)
  // A sentence that plainly states the memory needs no further comparison of words.
  const { written, isByOtherRules } = quoted
  const isStated = () => written && stateOf(written, source, found) === 'stated'
  if (says && (isByOtherRules || isStated())) return found
  if (new Set(tellingWords(words).map(termOf)).size < WORDS_MIN) return 'quote_too_short'
  if (!says) return 'quote_without_value'
  const said = quoted.type === 'value' ? quoted.value : quoted.statement
  if (denies(words) !== denies(said)) return 'quote_denied'
  if (hedges === 'ours' && hedgingOf(words) > hedgingOf(said)) return 'quote_hedged'
  return found
}

const CLOSING = /[.!?…。！？"'”’)\]]*$/u

/** The first place of the whole quote; null for a part of a sentence, -1 for words that are absent. */
function placeOf(quote: string, source: string): number | null {
  const sentences = sentencesOf(source)
  const starts = new Set(sentences.map(({ start }) => start))
  // The mark that ends a sentence need not be quoted.
  const ends = new Set(
    sentences.flatMap(({ start, end, text }) => [end, start + text.replace(CLOSING, '').length]),
  )
  let isFound = false
  for (let at = source.indexOf(quote); at >= 0; at = source.indexOf(quote, at + 1)) {
    if (starts.has(at) && ends.has(at + quote.length)) return at
    isFound = true
  }
  return isFound ? null : -1
}

function saysIt(quote: string, quoted: Quoted): boolean {
  const terms = new Set(tellingWords(quote).map(termOf))
  if (quoted.type === 'value') {
    const isNamed = normaliseText(quote).includes(normaliseText(quoted.value))
    return isNamed && tellingWords(quoted.value).every((word) => terms.has(termOf(word)))
  }
  const said = [...new Set(tellingWords(quoted.statement).map(termOf))]
  const shared = said.filter((term) => terms.has(term)).length
  return said.length > 0 && shared * 1_000 >= said.length * SHARED_MIN
}

/** A source of a statement: a name for the source, and its words. */
interface Ground<Name> {
  readonly of: Name
  readonly text: string
}

/** A statement that is surer than the sentence it comes from. */
export interface HedgeDropped<Name> {
  readonly of: Name
  /** Degree to which the statement commits itself. */
  readonly said: Hedging
  readonly source: Hedging
}

const GROUND_SHARED_MIN = 500 // thousandths of a sentence's telling words that its ground must have

interface Read {
  readonly hedging: Hedging
  readonly terms: ReadonlySet<string>
}

const termsIn = (text: string): ReadonlySet<string> => new Set(tellingWords(text).map(termOf))

const read = ({ text }: Pick<Sentence, 'text'>): Read => ({
  hedging: hedgingOf(text),
  terms: termsIn(text),
})

/** Words of a statement that the other sentence shares, in thousandths. */
function shared(said: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let count = 0
  for (const term of said) if (other.has(term)) count += 1
  return said.size === 0 ? 0 : Math.floor((count * 1_000) / said.size)
}

/**
 * Compares each sentence with the sentence of its grounds that shares most words; among equals the
 * surest counts. Returns the worst loss, or none where every sentence is as unsure as its ground.
 * A claim is compared by its value: every sentence that names the value is a ground.
 */
export function hedgeDropped<Name>(
  statement: { readonly text: string; readonly value?: string },
  grounds: readonly Ground<Name>[],
): HedgeDropped<Name> | null {
  const sources = grounds.flatMap(({ of, text }) =>
    sentencesOf(text).map((sentence) => ({ of, ...read(sentence) })),
  )
  if (!sources.some(({ hedging }) => hedging > 0)) return null
  const { value } = statement
  const said = value === undefined ? sentencesOf(statement.text).map(read) : [readValue(value)]
  let worst: HedgeDropped<Name> | null = null
  for (const { terms, hedging } of said) {
    const min = value === undefined ? GROUND_SHARED_MIN : 1_000
    const best = surestOf(
      sources.map((source) => ({ ...source, share: shared(terms, source.terms) })),
      min,
    )
    if (!best || best.hedging <= hedging) continue
    if (worst === null || best.hedging - hedging > worst.source - worst.said) {
      worst = { of: best.of, said: hedging, source: best.hedging }
    }
  }
  return worst
}

const readValue = (value: string): Read => ({ hedging: hedgingOf(value), terms: termsIn(value) })

function surestOf<Source extends { readonly share: number; readonly hedging: Hedging }>(
  sources: readonly Source[],
  min: number,
): Source | undefined {
  const most = sources.reduce((high, { share }) => Math.max(high, share), min)
  return sources
    .filter(({ share }) => share >= most)
    .reduce<Source | undefined>(
      (sure, each) => (sure && sure.hedging <= each.hedging ? sure : each),
      undefined,
    )
}
