import type { ClaimState } from '../domain/claim-state.ts'
import type { Cardinality } from '../domain/kinds/claim.ts'
import { isFirstHand, type LabelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import { ALWAYS, overlaps, type Span } from '../domain/span.ts'
import type { MemoryState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import { isLive } from './fold-memory.ts'

/** A memory of kind claim, as a line is folded from it. */
export type LineClaim = MemoryState & { readonly claim: ClaimState }

export const isLineClaim = (state: MemoryState): state is LineClaim => state.claim !== null

/** What was seen or said, then what a model made of it, then our own words coming back. */
export const BASES = ['first-hand', 'model', 'recall'] as const
export type Basis = (typeof BASES)[number]

export function basisOf(label: LabelName): Basis {
  if (isFirstHand(label)) return 'first-hand'
  return label === 'ModelDerived' ? 'model' : 'recall'
}

/** Words by which the gate, or a person in review, keeps a claim out of every answer. */
const KEPT_OUT: ReadonlySet<string> = new Set(['Quarantined', 'Rejected'])

export const isKeptOut = ({ disposition }: Pick<LineClaim, 'disposition'>): boolean =>
  KEPT_OUT.has(disposition)

export const isTakenBack = ({ claim: { word } }: LineClaim): boolean =>
  word === 'retracted' || word === 'denied'

/**
 * Whether a line is folded from it. That another claim succeeded it is no reason to leave it out:
 * where the other one does not hold, or was taken back, this one still speaks.
 */
export const takesPart = (claim: LineClaim): boolean =>
  !isKeptOut(claim) && !isTakenBack(claim) && claim.strength.value > 0

/** When it holds: dates that are not sure enough bound nothing, what was ended later is ended. */
export function spanOf({ claim }: Pick<LineClaim, 'claim'>, { numbers }: Policy): Span {
  const { from, until } = claim.sure >= numbers.validTimeTrustedFrom ? claim.span : ALWAYS
  const { endedAt } = claim
  if (endedAt === null || (until !== null && until <= endedAt)) return { from, until }
  return { from, until: endedAt }
}

/** From when on it speaks over what was said before: its own date, or else when it was said. */
export const speaksFrom = (claim: LineClaim, policy: Policy): Instant =>
  spanOf(claim, policy).from ?? claim.bornAt

/** What rivalry is judged by; a claim on its way in has it before it is a memory. */
export type Contender = Pick<LineClaim, 'ref' | 'identity' | 'label' | 'sourceId' | 'claim'>

/** Claims that are believed and say something else of a time that both speak about. */
export const rivalsOf = (
  of: Contender,
  line: readonly LineClaim[],
  policy: Policy,
): readonly LineClaim[] =>
  line.filter(
    (other) =>
      other.ref !== of.ref &&
      other.identity !== of.identity &&
      isLive(other, policy) &&
      overlaps(spanOf(of, policy), spanOf(other, policy)),
  )

/** The same voice: a later word of it succeeds an earlier one, another voice's word never does. */
export const isSameVoice = (
  a: Pick<MemoryState, 'sourceId' | 'label'>,
  b: Pick<MemoryState, 'sourceId' | 'label'>,
): boolean => a.sourceId === b.sourceId && a.label === b.label

/** A first-hand claim tells what kind of line it is; nobody having told, one value holds at a time. */
export function cardinalityOf(
  claims: readonly Pick<LineClaim, 'disposition' | 'facets' | 'seq' | 'label'>[],
): Exclude<Cardinality, 'Unknown'> {
  const told = claims
    .filter((claim) => !isKeptOut(claim) && claim.facets.subtype !== 'Unknown')
    .sort((a, b) => a.seq - b.seq)
  const first = told.find(({ label }) => isFirstHand(label)) ?? told[0]
  return first?.facets.subtype === 'SetValued' ? 'SetValued' : 'Functional'
}

/** Too unsure to be believed on its own word, and nobody else says it first-hand. */
export function isUnsupported(
  claim: LineClaim,
  others: readonly LineClaim[],
  { numbers }: Policy,
): boolean {
  if (claim.confidence.value >= numbers.claimConfidenceFloor) return false
  return !others.some(
    (other) =>
      other.identity === claim.identity &&
      other.sourceId !== claim.sourceId &&
      isFirstHand(other.label),
  )
}
