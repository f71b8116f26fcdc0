import { checkQuote, type Quoted, type QuoteFault } from '../belief/check-quote.ts'
import { isLive } from '../belief/fold-memory.ts'
import type { BeliefBody } from '../domain/kinds/belief.ts'
import type { ClaimBody } from '../domain/kinds/claim.ts'
import { isFirstHand, labelName } from '../domain/labels.ts'
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
  const quoted = quotedIn(candidate)
  if (quoted === null) return { quote: null, fault: 'quote_misplaced' }
  const sources = main.derivedFrom.flatMap((ref) => desk.memory(ref) ?? [])
  let fault: QuoteFault = 'quote_source'
  for (const source of sources) {
    const text = isWitness(source, candidate, desk) ? desk.words.of(source.ref) : null
    if (text === null) continue
    const found = checkQuote(draft.quote, text, quoted)
    if (typeof found !== 'string') return { quote: spanIn(source, text, found), fault: null }
    // Of several the one that came nearest is told.
    if (fault === 'quote_source' || fault === 'quote_not_found') fault = found
  }
  return { quote: null, fault }
}

function quotedIn({ draft, main: { kind, body } }: Candidate): Quoted | null {
  if (labelName(draft.origin.label) !== 'ModelDerived') return null
  if (kind === 'belief') return { type: 'statement', statement: (body as BeliefBody).statement } // parsed as one
  if (kind !== 'claim') return null
  const { value } = body as ClaimBody // parsed as a claim
  return { type: 'value', value: typeof value === 'string' ? value : JSON.stringify(value) }
}

const MET_WITH: ReadonlySet<string> = new Set(['raw', 'note', 'episode'])

/** Captures are not witnesses for the one they were captured for (18.2). */
const isWitness = (source: MemoryState, { draft }: Candidate, { policy }: Desk): boolean =>
  MET_WITH.has(source.kind) &&
  isFirstHand(source.label) &&
  isLive(source, policy) &&
  source.erased === null &&
  !(source.captured && source.sourceId === draft.origin.sourceId)

/** In bytes, which every language counts alike. */
const spanIn = (
  { ref }: MemoryState,
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): Quote => {
  const before = utf8(text.slice(0, start)).length
  return { of: ref, start: before, end: before + utf8(text.slice(start, end)).length }
}
