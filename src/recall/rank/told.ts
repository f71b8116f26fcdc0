import { type Fusion, SIGNALS, type Signal } from '../../domain/words/search.ts'
import { tellingWords, termOf } from '../../domain/words/terms.ts'
import { type Ranked, sharesOf, sumOf } from './fuse.ts'
import type { Question } from './question.ts'

/** A signal's share of a score, in numbers and in words. */
export interface SignalShare {
  readonly signal: Signal
  /** The signal's value for this memory. */
  readonly value: number
  /** The signal's weight in the policy. */
  readonly weight: number
  /** Value times weight. Below 0: the signal lowered the score. */
  readonly share: number
  readonly words: string
}

const percent = (value: number): string => `${Math.round(value * 100)} %`
const digits = (value: number): string => value.toFixed(2)

const WORDS: Readonly<Record<Signal, (value: number) => string>> = {
  words: () => 'its best passage holds words that were asked for',
  subject: () => 'it begins with what was asked for',
  whole: () => 'its whole text holds words that were asked for',
  coverage: (value) => `it says ${percent(value)} of what was asked, seldom words counting more`,
  phrase: () => 'what stands together in the question stands together in it',
  meaning: (value) => `its words are near to the question's in meaning (cosine ${digits(value)})`,
  kind: () => 'it names a kind of what was asked for',
  before: () => 'what was said just before it holds words that it lacks',
  after: () => 'what was said just after it holds words that it lacks',
  around: () => 'what was said two turns away holds words that it lacks',
  answers: () => 'what was said just before it asked about this',
  session: () => 'its conversation was about this',
  speaker: () => 'the one who is named said it',
  firstHand: () => 'a person said it or vouches for it (tier 2 or 3)',
  youSaid: () => 'the question is what the model said, and a model said it',
  summary: () => 'a summary is asked for, which takes what models said as well',
  time: (value) => `it happened when the question says (${percent(value)} near)`,
  dated: () => 'the question is when, and it names a time',
  counted: () => 'the question is how much, and it names a number',
  standing: () => 'it is a wish that stands, and the question is not of what was',
  length: (value) => lengthWords(Math.round(Math.expm1(value))), // the signal is the logarithm of 1 + words
  strength: (value) => `how readily it comes to mind (strength ${digits(value)})`,
}

const LONG_FROM = 40 // words; most turns of a conversation are shorter

const lengthWords = (count: number): string =>
  count >= LONG_FROM
    ? `it is long (${count} words), and long ones hold some word of every question`
    : `it holds ${count} ${count === 1 ? 'word' : 'words'}, and every word costs a little`

/** Every signal with a share, largest first; `kinds` come from `kindsSaid`. */
export function sharesTold(
  { signals }: Ranked,
  fusion: Fusion,
  kinds: readonly string[],
): readonly SignalShare[] {
  const shares = sharesOf(signals, fusion)
  return SIGNALS.filter((signal) => shares[signal] !== 0)
    .map((signal) => ({
      signal,
      value: rounded(signals[signal]),
      weight: fusion.weights[signal],
      share: rounded(shares[signal]),
      words:
        signal === 'kind' && kinds.length > 0 ? kinds.join(', ') : WORDS[signal](signals[signal]),
    }))
    .sort((a, b) => Math.abs(b.share) - Math.abs(a.share))
}

/** The weighted sum behind the score. */
export const sumTold = ({ signals, repeats }: Ranked, fusion: Fusion): number =>
  rounded(sumOf(signals, fusion) - (repeats === null ? 0 : fusion.repeatCost))

const DIGITS = 1e4 // further digits are noise to a reader

const rounded = (value: number): number => Math.round(value * DIGITS) / DIGITS

/** The words of a question that a text says or lacks, in the question's wording. */
export function wordsSaid(
  question: string,
  terms: readonly string[],
): { readonly says: readonly string[]; readonly lacks: readonly string[] } {
  const held = new Set(terms)
  const asked = [...new Set(tellingWords(question))]
  const isSaid = (word: string): boolean => held.has(termOf(word))
  return { says: asked.filter(isSaid), lacks: asked.filter((word) => !isSaid(word)) }
}

const KINDS_SAID_MAX = 3

/**
 * Words of a text that count as kinds of a word of the question, such as "puppy is a kind of pet".
 */
export function kindsSaid(question: string, { kinds }: Question, text: string): readonly string[] {
  const asked = new Map(tellingWords(question).map((word) => [termOf(word), word]))
  const said = new Map(tellingWords(text).map((word) => [termOf(word), word]))
  return [...said]
    .flatMap(([term, word]) => {
      const of = asked.get(kinds.get(term)?.of ?? '')
      return of === undefined ? [] : `${singular(word)} is a kind of ${singular(of)}`
    })
    .slice(0, KINDS_SAID_MAX)
}

const PLURAL = /(?:[^eisu]|ie)s$/ // "Postgres" and "bus" are singular

/** The word without a plural ending, where the rest is the same word. */
function singular(word: string): string {
  if (!PLURAL.test(word)) return word
  const shorter = word.replace(/ies$/, 'y').replace(/s$/, '')
  return termOf(shorter) === termOf(word) ? shorter : word
}

export const shareLine = ({ signal, share, words }: SignalShare): string =>
  `${share < 0 ? '−' : '+'}${digits(Math.abs(share))} ${signal}: ${words}`
