import { lowerTier, TIER_OF_LABEL, TIERS, type Tier } from '../domain/doors.ts'
import type { RecordKind, Ref } from '../domain/ids.ts'
import type { BeliefBody } from '../domain/kinds/belief.ts'
import { type ClaimBody, claimValueText } from '../domain/kinds/claim.ts'
import { contentText } from '../domain/kinds/table.ts'
import { isFirstHand, isInferential, labelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import type { Quote } from '../domain/provenance.ts'
import type { MemoryState } from '../domain/state.ts'
import { LINT_FRAGMENTS, LINT_PLACEHOLDERS, LINT_PREFIXES } from '../domain/words/lexicons.ts'
import type { Written } from '../domain/words/plain-frame.ts'
import { stateOf } from '../domain/words/stating-sentence.ts'
import {
  checkQuote,
  type FoundQuote,
  type HedgeDropped,
  type HedgesOf,
  hedgeDropped,
  type Quoted,
  type QuoteFault,
} from '../fold/check-quote.ts'
import { isLive } from '../fold/fold-memory.ts'
import { utf8 } from '../ledger/sha256.ts'
import type { Desk } from './desk.ts'
import type { Candidate } from './stamp.ts'

/** The place of a draft's quote in its source, or the fault of the quote. */
export type Quoting =
  /**
   * `lift`: the tier that the quoted words raise the memory to; null where the words do not state
   * the memory.
   */
  | { readonly quote: Quote; readonly fault: null; readonly lift: Tier | null }
  | { readonly quote: null; readonly fault: QuoteFault | null; readonly lift: null }

const NO_QUOTE: Quoting = { quote: null, fault: null, lift: null }

/**
 * Searches the cited sources for the quoted words. A model that quotes whole words of a first-hand
 * source speaks for those words only; the rest of the model's statement is not checked (18.8).
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
    // Of several faults, the gate reports the nearest miss.
    if (fault === 'quote_source' || fault === 'quote_not_found') fault = found
  }
  return { quote: null, fault, lift: null }
}

/**
 * The tier that a quote of a source raises a memory to: never above the source, and null at or
 * below a model's own tier.
 */
export function liftBy(
  { tier }: Pick<MemoryState, 'tier'>,
  { numbers }: Partial<Policy>,
): Tier | null {
  // A policy without this number dates from before quotes raised tiers.
  const most = TIERS.find((each) => each === numbers?.tierByQuoteMax)
  const lift = most === undefined ? 0 : lowerTier(tier, most)
  return lift > TIER_OF_LABEL.ModelDerived ? lift : null
}

/**
 * True where the quoted sentences state the memory itself and no other cited source denies the
 * memory: the person may have taken the sentence back there.
 */
function isStated(
  { draft, main }: Candidate,
  desk: Desk,
  { text, found }: { readonly text: string; readonly found: FoundQuote },
): boolean {
  const written = writtenIn(main.kind, main.body)
  // A capture shares the tier of its draft, and the quote does not support the capture.
  if (written === null || draft.captures.length > 0) return false
  if (stateOf(written, text, found) !== 'stated') return false
  const cited = main.derivedFrom.flatMap((ref) => desk.memory(ref) ?? [])
  return cited
    .filter((each) => isWitness(each, draft.origin.sourceId, desk.policy))
    .every(({ ref }) => stateOf(written, desk.words.of(ref) ?? '') !== 'denied')
}

/** The memory as a person's sentence may state the memory; null for kinds without quotes. */
export function writtenIn(kind: RecordKind, body: object): Written | null {
  if (kind === 'belief') return { type: 'statement', text: (body as BeliefBody).statement } // parsed as a belief
  if (kind !== 'claim') return null
  const claim = body as ClaimBody // parsed as a claim
  const { subject, predicate } = claim
  return { type: 'claim', subject, predicate, value: claimValueText(claim) }
}

/** The part of a memory that its quote must contain; null for kinds without quotes. */
export function quotedIn(kind: RecordKind, body: object): Quoted | null {
  const written = writtenIn(kind, body)
  if (written === null) return null
  return written.type === 'claim'
    ? { type: 'value', value: written.value, written }
    : { type: 'statement', statement: written.text, written }
}

const MET_WITH: ReadonlySet<string> = new Set(['raw', 'note', 'episode'])

/** A capture is no witness for the author whose draft the capture was made for (18.2). */
export const isWitness = (source: MemoryState, sourceId: string, policy: Policy): boolean =>
  MET_WITH.has(source.kind) &&
  isFirstHand(source.label) &&
  isLive(source, policy) &&
  source.erased === null &&
  !(source.captured && source.sourceId === sourceId)

/** True where the recorded span is the span that a fresh search finds for the quoted memory. */
export function standsThere(
  recorded: Span,
  text: string,
  { quoted, hedges }: { readonly quoted: Quoted; readonly hedges: HedgesOf },
): boolean {
  const { start, end } = unitsOf(recorded, text)
  const found = checkQuote(text.slice(start, end), text, quoted, hedges)
  if (typeof found === 'string') return false
  const span = spanIn(text, found)
  return span.start === recorded.start && span.end === recorded.end
}

/** True where the words of the span state the memory. */
export const statesThere = (span: Span, text: string, written: Written): boolean =>
  stateOf(written, text, unitsOf(span, text)) === 'stated'

type Span = Pick<Quote, 'start' | 'end'>

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function unitsOf({ start, end }: Span, text: string): FoundQuote {
  const units = (at: number): number => decoder.decode(utf8(text).subarray(0, at)).length
  return { start: units(start), end: units(end) }
}

/** In bytes, which every language counts alike. */
function spanIn(text: string, { start, end }: FoundQuote): Span {
  const before = utf8(text.slice(0, start)).length
  return { start: before, end: before + utf8(text.slice(start, end)).length }
}

/** A statement more certain than its source, and the confidence allowed at most. */
export interface Downgrade extends HedgeDropped<Ref> {
  readonly confidenceMax: number
}

/** The sources of a reasoned draft; a draft from experience rests on no source. */
export function groundsOf(candidate: Candidate): readonly Ref[] {
  if (!isReasoned(candidate)) return []
  return [candidate.main, ...candidate.captures].flatMap(({ derivedFrom }) => derivedFrom)
}

export const isReasoned = ({ draft: { origin } }: Candidate): boolean =>
  isInferential(labelName(origin.label), origin.sourceType)

/** "Might" does not become "is" by being derived. */
export function downgradeOf(candidate: Candidate, desk: Desk): Downgrade | null {
  const { lexicons, numbers } = desk.policy
  // A policy without hedge words dates from before hedges were checked.
  if (lexicons.hedges === undefined) return null
  const captured = new Map(candidate.captures.map((each) => [each.ref, each]))
  const grounds = groundsOf(candidate).flatMap((of) => {
    const own = captured.get(of)
    const text = own ? contentText(own.kind, own.body) : desk.words.of(of)
    return text === null ? [] : [{ of, text }]
  })
  const dropped = hedgeDropped(statementOf(candidate), grounds)
  return dropped && { ...dropped, confidenceMax: confidenceMaxOf(dropped.source, numbers) }
}

/** An old policy entry may miss these numbers; a missing number caps the confidence at 0. */
export const confidenceMaxOf = (hedging: number, numbers?: Partial<Policy['numbers']>): number =>
  (hedging > 1 ? numbers?.hedgeOpenConfidenceMax : numbers?.hedgeThoughtConfidenceMax) ?? 0

/** For a claim, its value is also checked. */
function statementOf({ main: { kind, body } }: Candidate) {
  const text = contentText(kind, body)
  return kind === 'claim' ? { text, value: claimValueText(body as ClaimBody) } : { text } // parsed as a claim
}

const fragments: ReadonlySet<string> = new Set(LINT_FRAGMENTS)
const placeholders: ReadonlySet<string> = new Set(LINT_PLACEHOLDERS)
const prefixes = new RegExp(`^\\s*(?:${LINT_PREFIXES.join('|')})\\s*:`, 'iu')
const ONLY_MARKS = /^[\p{P}\p{S}\s]+$/u
const ONE_CHARACTER_OVER_AND_OVER = /^(.)\1{4,}$/u
const UNFINISHED = /\.\.+\s*$|…\s*$/u

/** Codes for noise in a statement; none when the statement reads as a sentence. */
export function lintStatement(
  statement: string,
  { min, max }: { readonly min: number; readonly max: number },
): readonly string[] {
  const text = statement.trim()
  const length = [...text].length
  // Looking further would take time that grows with the square of the length.
  if (length > max) return ['too_long']
  const reasons: string[] = []
  if (length < min) reasons.push('too_short')
  if (prefixes.test(text)) reasons.push('prefix_artifact')
  if (isTemplated(text)) reasons.push('templated_noise')
  if (endsInFragment(text)) reasons.push('trailing_fragment')
  return reasons
}

const isTemplated = (text: string): boolean =>
  placeholders.has(text.toLowerCase()) ||
  ONLY_MARKS.test(text) ||
  ONE_CHARACTER_OVER_AND_OVER.test(text) ||
  UNFINISHED.test(text)

function endsInFragment(text: string): boolean {
  const last = /(\p{L}+)$/u.exec(text.toLowerCase())?.[1]
  return last !== undefined && last !== text.toLowerCase() && fragments.has(last)
}
