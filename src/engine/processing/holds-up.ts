import { contentText, parseBody } from '../../domain/kinds/table.ts'
import { foldText, queryTerms } from '../../domain/words/terms.ts'
import type { Drafted } from './drafted.ts'
import type { DroppedReason } from './dropped-reasons.ts'
import { overstated, sentencesOf } from './says-no-more.ts'
import type { Source, Transition } from './transitions.ts'

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
