import type { Tier } from '../../../src/domain/doors.ts'
import type { Ref } from '../../../src/domain/ids.ts'
import type { Written } from '../../../src/domain/words/plain-frame.ts'
import { stateOf } from '../../../src/domain/words/stating-sentence.ts'
import { textOf } from '../sayings.ts'
import type { GateDraft } from '../steps.ts'
import { recall, sourcesOf } from './lineage.ts'
import { doubtIn, saysNo, sentencesIn, tellingIn } from './speech.ts'
import { isExternal, isLive } from './tables.ts'
import type { Book, Remembered } from './words.ts'

// "Quotes" of docs/firewall.md, clause by clause.

export type QuotedFor = { readonly written?: Written } & (
  | { readonly value: string }
  | { readonly statement: string }
)

interface Place {
  readonly start: number
  readonly end: number
}

/** Where whole sentences of a source are these words; or what is wrong with them. */
export function placeOfQuote(quote: string, source: string, quotedFor: QuotedFor): Place | string {
  const words = quote.trim()
  if (words === '' || !source.includes(words)) return 'quote_not_found'
  const sentences = sentencesIn(source)
  const places = sentences.flatMap(({ start }) =>
    sentences
      .map((last) => source.slice(start, last.start + last.text.length))
      .filter((stretch) => stretch === words || unmarked(stretch) === words)
      .map(() => start),
  )
  const [start] = places.sort((a, b) => a - b)
  if (start === undefined) return 'quote_partial'
  const place = { start, end: start + words.length }
  const { written } = quotedFor
  // What plainly states the memory needs no more than to say its value.
  if (written && says(words, quotedFor) && stateOf(written, source, place) === 'stated')
    return place
  if (tellingIn(words).length < 3) return 'quote_too_short'
  if (!says(words, quotedFor)) return 'quote_without_value'
  const said = 'value' in quotedFor ? quotedFor.value : quotedFor.statement
  if (saysNo(words) !== saysNo(said)) return 'quote_denied'
  if (doubtIn(words) > doubtIn(said)) return 'quote_hedged'
  return place
}

/** The mark that ends a sentence need not be quoted. */
const unmarked = (sentence: string): string => sentence.replace(/[.!?]+$/u, '')

const plain = (text: string): string => text.normalize('NFC').toLowerCase().trim()

function says(words: string, quotedFor: QuotedFor): boolean {
  const there = tellingIn(words)
  if ('value' in quotedFor) {
    const isNamed = plain(words).includes(plain(quotedFor.value))
    return isNamed && tellingIn(quotedFor.value).every((word) => there.includes(word))
  }
  const said = tellingIn(quotedFor.statement)
  const shared = said.filter((word) => there.includes(word)).length
  return said.length > 0 && shared * 2 >= said.length
}

export interface Quoted {
  readonly of: Ref
  readonly start: number
  readonly end: number
}

export type Quoting =
  | { readonly quote: Quoted; readonly fault: null; readonly lift: Tier | null }
  | { readonly quote: null; readonly fault: string | null; readonly lift: null }

/** Raw, note or episode; first-hand, believed, not captured for the one who quotes. */
const isWitness = (source: Remembered, actor: string): boolean =>
  ['raw', 'note', 'episode'].includes(source.kind) &&
  isExternal(source.label) &&
  isLive(source) &&
  !(source.captured && source.actor === actor)

export function quotingOf(book: Book, draft: GateDraft): Quoting {
  const { quote, kind, label, saying, actor } = draft
  if (quote === null) return { quote: null, fault: null, lift: null }
  if (label !== 'ModelDerived' || (kind !== 'claim' && kind !== 'belief')) {
    return { quote: null, fault: 'quote_misplaced', lift: null }
  }
  const written = writtenBy(draft)
  const said =
    written.type === 'claim' ? { value: written.value } : { statement: textOf(kind, saying) }
  const quotedFor = { ...said, written }
  const faults: string[] = []
  for (const ref of sourcesOf(book, draft)) {
    const source = recall(book, ref)
    if (!source || !isWitness(source, actor)) continue
    const place = placeOfQuote(quote, source.text, quotedFor)
    if (typeof place !== 'string') {
      const lift = liftOf(book, draft, { source, place })
      return { quote: { of: ref, ...inBytes(source.text, place) }, fault: null, lift }
    }
    faults.push(place)
  }
  const nearest = faults.find((fault) => fault !== 'quote_not_found')
  return { quote: null, fault: nearest ?? faults[0] ?? 'quote_source', lift: null }
}

function writtenBy({ kind, saying }: GateDraft): Written {
  if (kind !== 'claim') return { type: 'statement', text: textOf(kind, saying) }
  const { predicate, value } = saying.claim
  const asText = typeof value === 'string' ? value : JSON.stringify(value)
  return { type: 'claim', subject: 'User', predicate, value: asText }
}

/**
 * "Quotes": two, where the source counts for as much, the sentence states the memory, and nothing else
 * that is cited denies it. Whether a sentence states something is one judgement, and not made twice.
 */
function liftOf(
  book: Book,
  draft: GateDraft,
  { source, place }: { readonly source: Remembered; readonly place: Place },
): Tier | null {
  const { captures, actor } = draft
  if (source.tier < 2 || captures.length > 0) return null
  const written = writtenBy(draft)
  if (stateOf(written, source.text, place) !== 'stated') return null
  const witnesses = sourcesOf(book, draft)
    .flatMap((ref) => recall(book, ref) ?? [])
    .filter((each) => isWitness(each, actor))
  return witnesses.every(({ text }) => stateOf(written, text) !== 'denied') ? 2 : null
}

const inBytes = (text: string, { start, end }: Place): Place => ({
  start: Buffer.byteLength(text.slice(0, start)),
  end: Buffer.byteLength(text.slice(0, end)),
})
