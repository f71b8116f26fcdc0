import { foldText } from '../domain/fold-text.ts'
import { hedgingOf } from '../domain/hedges.ts'
import { contentText, parseBody } from '../domain/kinds/table.ts'
import { queryTerms, termsOf } from '../domain/terms.ts'
import { isInstructionLike } from '../recall/instruction-like.ts'
import type { Drafted } from './drafted.ts'
import type { Source, Transition } from './transitions.ts'

/** Why something that was drafted is not proposed. Closed, so that each can be counted. */
export const DROPPED_REASONS = [
  'not_of_its_kind',
  'unknown_source',
  'quote_not_found',
  'quote_too_short',
  'too_few_sources',
  'not_protected',
  'too_unsure',
  'hedge_dropped',
  'negation_dropped',
  'reads_like_instruction',
  'unseen_characters',
  'invented_particular',
  'not_in_sources',
  'already_known',
] as const

export type DroppedReason = (typeof DROPPED_REASONS)[number]

export type Held =
  | {
      readonly ok: true
      readonly body: object
      readonly text: string
      readonly confidence: number
      readonly refs: readonly string[]
    }
  | { readonly ok: false; readonly reason: DroppedReason }

const QUOTE_TERMS_MIN = 3 // telling words of a quote: fewer are found in anything
const SHARED_MIN = 0.34 // of the draft's telling words that its sources must use …
const FEW_TERMS = 4 // … and of fewer than these, more than half
const SHARED_OF_FEW = 0.51
const CONFIDENCE_MAX = 0.8 // of what was drawn from others' words; a person may say more

/**
 * Whether what was drafted says no more than what it cites: sources that were given, quotes that are
 * there, enough of them, no hedge or denial lost, no name or number of its own.
 */
export function holdsUp(
  { content, confidence, cites }: Drafted,
  sources: ReadonlyMap<string, Source>,
  transition: Transition,
): Held {
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
  const fault = faultIn(text, { sentences, sources: rested.map((each) => each.text) })
  if (fault) return dropped(fault)
  return { ok: true, body, text, confidence: sure, refs: [...distinct.keys()] }
}

const dropped = (reason: DroppedReason): Held => ({ ok: false, reason })

/** A capture may be short and is quoted whole; what is concluded from has to say something. */
const shortest = ({ from }: Transition): number => (from === 'raw' ? 1 : QUOTE_TERMS_MIN)

function bodyOf({ to }: Transition, content: object): object | null {
  try {
    return parseBody(to, content)
  } catch {
    return null
  }
}

interface Rests {
  /** The whole sentences that were quoted. */
  readonly sentences: readonly string[]
  readonly sources: readonly string[]
}

function faultIn(text: string, { sentences, sources }: Rests): DroppedReason | null {
  if (UNSEEN.test(text)) return 'unseen_characters'
  if (text.split('\n').some(isInstructionLike)) return 'reads_like_instruction'
  // The most doubtful of what it rests on: one plain source must not launder the others.
  if (hedgingOf(text) < Math.max(...sentences.map(hedgingOf))) return 'hedge_dropped'
  if (!DENIES.test(foldText(text)) && sentences.every((each) => DENIES.test(foldText(each))))
    return 'negation_dropped'
  const said = foldText(sources.join('\n'))
  if (particularsOf(text).some((particular) => !said.includes(particular)))
    return 'invented_particular'
  const terms = queryTerms(text)
  const known = new Set(termsOf(sources.join('\n')))
  const shared = terms.filter((term) => known.has(term)).length
  const needed = terms.length * (terms.length < FEW_TERMS ? SHARED_OF_FEW : SHARED_MIN)
  return shared < Math.max(1, needed) ? 'not_in_sources' : null
}

const DENIES = /\b(?:not|no|never|none|nobody|nothing|without|cannot|neither|nor)\b|n't\b/u

// What no reader sees and a model may still read: controls, turned reading, tags, blanks of no width.
const UNSEEN = /(?![\n\t\r\u200c\u200d])[\p{Cc}\p{Cf}]/u

const NUMBERS = /\d+(?:[.,:]\d+)*/gu
const ADDRESSES =
  /[\w.+-]+@[\w-]+\.[\w.]+|https?:\/\/[^\s)]+|(?:[\w-]+\.)+(?:com|org|net|io|dev|ai)\b/gu
// A capital inside a sentence is a name; at its beginning it is only a beginning.
const NAMES = /(?<=[\p{Ll}\p{N},;] )\p{Lu}[\p{L}\p{N}]+/gu

/** What cannot be had by thinking about the sources: numbers, names, addresses. */
function particularsOf(text: string): readonly string[] {
  const found = [NUMBERS, ADDRESSES, NAMES].flatMap((pattern) => text.match(pattern) ?? [])
  return found.map((particular) => foldText(particular))
}

const plainly = (text: string): string => foldText(text).replace(/\s+/gu, ' ').trim()

const SENTENCE = /[^.!?\n]+(?:[.!?]+|\n|$)/gu

/** The sentences that a quote stands in, or null where the source does not say it. */
function sentencesAround(source: string, quote: string): readonly string[] | null {
  const wanted = plainly(quote)
  if (wanted === '' || !plainly(source).includes(wanted)) return null
  const whole = source.match(SENTENCE) ?? [source]
  const touched = whole.filter((sentence) => {
    const plain = plainly(sentence)
    return plain !== '' && (wanted.includes(plain) || plain.includes(wanted))
  })
  // A quote that runs from the middle of one sentence into the next is read with all around it.
  return touched.length > 0 ? touched : [source]
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
