import { lowerTier, TIER_OF_LABEL, TIERS, type Tier } from '../domain/doors.ts'
import type { RecordKind } from '../domain/kind-names.ts'
import type { BeliefBody } from '../domain/kinds/belief.ts'
import type { ClaimBody } from '../domain/kinds/claim.ts'
import { isFirstHand, labelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import type { Quote } from '../domain/provenance.ts'
import type { MemoryState } from '../domain/state.ts'
import { stateOf } from '../domain/stating-sentence.ts'
import type { Written } from '../domain/wanted-sentence.ts'
import {
  checkQuote,
  type FoundQuote,
  type HedgesOf,
  type Quoted,
  type QuoteFault,
} from '../fold/check-quote.ts'
import { isLive } from '../fold/fold-memory.ts'
import { utf8 } from '../ledger/sha256.ts'
import type { Desk } from './desk.ts'
import type { Candidate } from './stamp.ts'

/** What became of the words that a draft says it quotes: where they stand, or why they are none. */
export type Quoting =
  /** `lift`: the tier that the quoted words lift the memory to; null where they do not state it. */
  | { readonly quote: Quote; readonly fault: null; readonly lift: Tier | null }
  | { readonly quote: null; readonly fault: QuoteFault | null; readonly lift: null }

export const NO_QUOTE: Quoting = { quote: null, fault: null, lift: null }

/**
 * Looks for the quoted words in what the draft cites. A model that names whole words of somebody who
 * met with it speaks for those words; whatever else it says of them is not looked at (18.8).
 */
export function quotingOf(candidate: Candidate, desk: Desk): Quoting {
  const { draft, main } = candidate
  if (draft.quote === null) return NO_QUOTE
  const isModel = labelName(draft.origin.label) === 'ModelDerived'
  const quoted = isModel ? quotedIn(main.kind, main.body) : null
  if (quoted === null) return { quote: null, fault: 'quote_misplaced', lift: null }
  const sources = main.derivedFrom.flatMap((ref) => desk.memory(ref) ?? [])
  let fault: QuoteFault = 'quote_source'
  for (const source of sources) {
    const text = isWitness(source, draft.origin.sourceId, desk.policy)
      ? desk.words.of(source.ref)
      : null
    if (text === null) continue
    const found = checkQuote(draft.quote, text, quoted)
    if (typeof found !== 'string') {
      const quote = { of: source.ref, ...spanIn(text, found) }
      const lift = isStated(candidate, desk, { text, found }) ? liftBy(source, desk.policy) : null
      return { quote, fault: null, lift }
    }
    // Of several the one that came nearest is told.
    if (fault === 'quote_source' || fault === 'quote_not_found') fault = found
  }
  return { quote: null, fault, lift: null }
}

/** What the words of a source lift to: never above the source, and nothing below a model's own tier. */
export function liftBy(
  { tier }: Pick<MemoryState, 'tier'>,
  { numbers }: Partial<Policy>,
): Tier | null {
  // A policy that names no such number was told before quotes lifted anything.
  const most = TIERS.find((each) => each === numbers?.tierByQuoteMax)
  const lift = most === undefined ? 0 : lowerTier(tier, most)
  return lift > TIER_OF_LABEL.ModelDerived ? lift : null
}

/**
 * Whether the quoted sentences state the memory itself. What the draft cites beside them counts too: the
 * person may have taken the sentence back there.
 */
function isStated(
  { draft, main }: Candidate,
  desk: Desk,
  { text, found }: { readonly text: string; readonly found: FoundQuote },
): boolean {
  const written = writtenIn(main.kind, main.body)
  // Captures share the tier of what they were captured for, and nobody stands behind them.
  if (written === null || draft.captures.length > 0) return false
  if (stateOf(written, text, found) !== 'stated') return false
  const cited = main.derivedFrom.flatMap((ref) => desk.memory(ref) ?? [])
  return cited
    .filter((each) => isWitness(each, draft.origin.sourceId, desk.policy))
    .every(({ ref }) => stateOf(written, desk.words.of(ref) ?? '') !== 'denied')
}

/** The memory as a sentence of a person may state it; null where a quote anchors none of its kind. */
export function writtenIn(kind: RecordKind, body: object): Written | null {
  if (kind === 'belief') return { type: 'statement', text: (body as BeliefBody).statement } // parsed as one
  if (kind !== 'claim') return null
  const { subject, predicate, value } = body as ClaimBody // parsed as a claim
  return { type: 'claim', subject, predicate, value: wordsIn(value) }
}

const wordsIn = (value: ClaimBody['value']): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** What a memory of this kind is quoted for; null where it is none that a quote anchors. */
export function quotedIn(kind: RecordKind, body: object): Quoted | null {
  const written = writtenIn(kind, body)
  if (written === null) return null
  return written.type === 'claim'
    ? { type: 'value', value: written.value, written }
    : { type: 'statement', statement: written.text, written }
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

/** Whether the words at that place state the memory. */
export function statesThere({ start, end }: Span, text: string, written: Written): boolean {
  const bytes = utf8(text)
  const unitsBefore = decoder.decode(bytes.subarray(0, start)).length
  const units = decoder.decode(bytes.subarray(start, end)).length
  const span = { start: unitsBefore, end: unitsBefore + units }
  return stateOf(written, text, span) === 'stated'
}

type Span = Pick<Quote, 'start' | 'end'>

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** In bytes, which every language counts alike. */
function spanIn(text: string, { start, end }: FoundQuote): Span {
  const before = utf8(text.slice(0, start)).length
  return { start: before, end: before + utf8(text.slice(start, end)).length }
}
