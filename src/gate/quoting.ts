import {
  checkQuote,
  type FoundQuote,
  type HedgesOf,
  type Quoted,
  type QuoteFault,
} from '../belief/check-quote.ts'
import { isLive } from '../belief/fold-memory.ts'
import type { RecordKind } from '../domain/kind-names.ts'
import type { BeliefBody } from '../domain/kinds/belief.ts'
import type { ClaimBody } from '../domain/kinds/claim.ts'
import { isFirstHand, labelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import type { Quote } from '../domain/provenance.ts'
import type { MemoryState } from '../domain/state.ts'
import { utf8 } from '../hash/sha256.ts'
import type { Desk } from './desk.ts'
import type { Candidate } from './stamp.ts'

/** What became of the words that a draft says it quotes: where they stand, or why they are none. */
export type Quoting =
  | { readonly quote: Quote; readonly fault: null }
  | { readonly quote: null; readonly fault: QuoteFault | null }

const NONE: Quoting = { quote: null, fault: null }

/**
 * Looks for the quoted words in what the draft cites. A model that names whole words of somebody who
 * met with it speaks for those words; whatever else it says of them is not looked at (18.8).
 */
export function quotingOf(candidate: Candidate, desk: Desk): Quoting {
  const { draft, main } = candidate
  if (draft.quote === null) return NONE
  const isModel = labelName(draft.origin.label) === 'ModelDerived'
  const quoted = isModel ? quotedIn(main.kind, main.body) : null
  if (quoted === null) return { quote: null, fault: 'quote_misplaced' }
  const sources = main.derivedFrom.flatMap((ref) => desk.memory(ref) ?? [])
  let fault: QuoteFault = 'quote_source'
  for (const source of sources) {
    const text = isWitness(source, draft.origin.sourceId, desk.policy)
      ? desk.words.of(source.ref)
      : null
    if (text === null) continue
    const found = checkQuote(draft.quote, text, quoted)
    if (typeof found !== 'string') {
      return { quote: { of: source.ref, ...spanIn(text, found) }, fault: null }
    }
    // Of several the one that came nearest is told.
    if (fault === 'quote_source' || fault === 'quote_not_found') fault = found
  }
  return { quote: null, fault }
}

/** What a memory of this kind is quoted for; null where it is none that a quote anchors. */
export function quotedIn(kind: RecordKind, body: object): Quoted | null {
  if (kind === 'belief') return { type: 'statement', statement: (body as BeliefBody).statement } // parsed as one
  if (kind !== 'claim') return null
  const { value } = body as ClaimBody // parsed as a claim
  return { type: 'value', value: typeof value === 'string' ? value : JSON.stringify(value) }
}

const MET_WITH: ReadonlySet<string> = new Set(['raw', 'note', 'episode'])

/** Captures are not witnesses for the one they were captured for (18.2). */
export const isWitness = (source: MemoryState, sourceId: string, policy: Policy): boolean =>
  MET_WITH.has(source.kind) &&
  isFirstHand(source.label) &&
  isLive(source, policy) &&
  source.erased === null &&
  !(source.captured && source.sourceId === sourceId)

/** Whether the words at that place are what would have been found for what is said of them. */
export function standsThere(
  { start, end }: Span,
  text: string,
  { quoted, hedges }: { readonly quoted: Quoted; readonly hedges: HedgesOf },
): boolean {
  const words = decoder.decode(utf8(text).subarray(start, end))
  const found = checkQuote(words, text, quoted, hedges)
  if (typeof found === 'string') return false
  const span = spanIn(text, found)
  return span.start === start && span.end === end
}

type Span = Pick<Quote, 'start' | 'end'>

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** In bytes, which every language counts alike. */
function spanIn(text: string, { start, end }: FoundQuote): Span {
  const before = utf8(text.slice(0, start)).length
  return { start: before, end: before + utf8(text.slice(start, end)).length }
}
