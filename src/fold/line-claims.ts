import { type ClaimState, KEPT_OUT, type LineKind } from '../domain/claims.ts'
import { isFirstHand, type LabelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import type { LineState, MemoryState } from '../domain/state.ts'
import { ALWAYS, type Instant, laterOf, overlaps, type Span } from '../domain/time.ts'
import { daysBetween, recorded } from './effective.ts'
import { isLive } from './fold-memory.ts'
import { isOverCap } from './lineage.ts'

/** A memory of kind claim, with the fields that a timeline is folded from. */
export type LineClaim = LineState & { readonly claim: ClaimState }

export const isLineClaim = <State extends LineState>(state: State): state is State & LineClaim =>
  state.claim !== null

/** First-hand words, then conclusions of a model, then our own words coming back. */
export const BASES = ['first-hand', 'model', 'recall'] as const
export type Basis = (typeof BASES)[number]

export function basisOf(label: LabelName): Basis {
  if (isFirstHand(label)) return 'first-hand'
  return label === 'ModelDerived' ? 'model' : 'recall'
}

export const isKeptOut = ({ disposition }: Pick<LineClaim, 'disposition'>): boolean =>
  KEPT_OUT.includes(disposition)

export const isTakenBack = ({ claim: { word } }: LineClaim): boolean =>
  word === 'retracted' || word === 'denied'

/**
 * Tells whether a timeline is folded from a claim. A succeeded claim takes part: where the successor
 * does not hold or was retracted, the earlier claim still answers.
 */
export const takesPart = (claim: LineClaim): boolean =>
  !isKeptOut(claim) && !isTakenBack(claim) && claim.strength.value > 0

/** A model's claim with a checked quote of first-hand words: the claim may contest, and nothing more. */
export const isAnchored = ({ claim }: Pick<LineClaim, 'claim'>): boolean =>
  claim.quotes !== undefined

/** Time of validity: unsure dates bound nothing, and a later end counts. */
export function spanOf({ claim }: Pick<LineClaim, 'claim'>, { numbers }: Policy): Span {
  const { from, until } = claim.sure >= numbers.validTimeTrustedFrom ? claim.span : ALWAYS
  const { endedAt } = claim
  if (endedAt === null || (until !== null && until <= endedAt)) return { from, until }
  return { from, until: endedAt }
}

/** Start of validity against earlier claims: the claim's own date, or else the time of writing. */
export const speaksFrom = (claim: LineClaim, policy: Policy): Instant =>
  spanOf(claim, policy).from ?? claim.bornAt

/** The fields by which rivals are found; a new claim has them before its birth. */
export type Contender = Pick<
  LineClaim,
  'ref' | 'identity' | 'label' | 'sourceId' | 'claim' | 'tier'
>

/** Believed claims with another value at a time that both claims cover. */
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

/** True for one voice: a later claim succeeds an earlier claim of one voice only. */
export const isSameVoice = (
  a: Pick<MemoryState, 'sourceId' | 'label'>,
  b: Pick<MemoryState, 'sourceId' | 'label'>,
): boolean => a.sourceId === b.sourceId && a.label === b.label

/**
 * Cardinality comes from a first-hand claim, and from a model only without first-hand claims. The default
 * is one value at a time.
 */
export const cardinalityOf = (claims: readonly Telling[]): LineKind =>
  tellerOf(claims)?.facets.subtype === 'SetValued' ? 'SetValued' : 'Functional'

type Telling = Pick<LineState, 'disposition' | 'facets' | 'seq' | 'label'>

/** The claim that decides the cardinality: a first-hand claim first, then a claim that names one. */
export function tellerOf<Claim extends Telling>(claims: readonly Claim[]): Claim | undefined {
  let best: Claim | undefined
  for (const claim of claims) {
    if (isKeptOut(claim)) continue
    const order = best === undefined ? -1 : rankOf(claim) - rankOf(best)
    if (best === undefined || order < 0 || (order === 0 && claim.seq < best.seq)) best = claim
  }
  return best
}

const rankOf = ({ facets, label }: Telling): number =>
  (isFirstHand(label) ? 0 : 2) + (facets.subtype === 'Unknown' ? 1 : 0)

/** First-hand sources of each value. */
export function supportersOf(
  claims: readonly LineClaim[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const byValue = new Map<string, Set<string>>()
  for (const { identity, label, sourceId } of claims) {
    if (!isFirstHand(label)) continue
    const known = byValue.get(identity)
    if (known) known.add(sourceId)
    else byValue.set(identity, new Set([sourceId]))
  }
  return byValue
}

/** True for a claim too unsure to be believed alone. */
export const isUnsure = ({ confidence }: LineClaim, { numbers }: Policy): boolean =>
  confidence.value < numbers.claimConfidenceFloor

/** True for an unsure claim without another first-hand source. */
export function isUnsupported(
  claim: LineClaim,
  supporters: ReadonlyMap<string, ReadonlySet<string>>,
  policy: Policy,
): boolean {
  if (!isUnsure(claim, policy)) return false
  const others = supporters.get(claim.identity)
  if (others === undefined) return true
  return others.size === 1 ? others.has(claim.sourceId) : false
}

const BANDS = ['Fresh', 'AgingUnconfirmed', 'Decayed'] as const
type Band = (typeof BANDS)[number]

/** Currency: the age of the last first-hand confirmation; says nothing about truth. */
export interface Currency {
  readonly value: number
  readonly band: Band
  /** Time of the last confirmation. */
  readonly since: Instant
}

/** Distinct first-hand sources of a value; nobody counts twice, and no chain of inferences at all. */
export function anchorsOf(claims: readonly LineClaim[], policy: Policy): readonly string[] {
  const counted = claims.filter((claim) => isFirstHand(claim.label) && isNear(claim, policy))
  const sources = counted.map(({ sourceId }) => sourceId)
  return sources.length < 2 ? sources : [...new Set(sources)].sort()
}

const isNear = ({ depthFarthest }: LineClaim, { numbers }: Policy): boolean =>
  !isOverCap(depthFarthest, numbers.derivationDepthCapForCurrencyBoost)

interface CurrencyInput {
  readonly policy: Policy
  readonly now: Instant
  /** Number of independent first-hand sources. */
  readonly anchors: number
}

/** At least one claim of equal value. */
export function currencyOf(
  claims: readonly LineClaim[],
  { policy, now, anchors }: CurrencyInput,
): Currency {
  const { numbers } = policy
  const since = saidLast(claims, policy)
  const days = daysBetween(since, now)
  const base =
    anchors > 0 ? 1 - numbers.currencyDoubtPerAnchor ** anchors : numbers.currencyOfModels
  return {
    value: recorded(base * (1 - numbers.currencyLostPerDay) ** days),
    band: bandAt(days, policy),
    since,
  }
}

/** A claim too far from first-hand sources refreshes nothing and keeps its age (F-14). */
function saidLast(claims: readonly LineClaim[], policy: Policy): Instant {
  const near = claims.filter((claim) => isNear(claim, policy)).map(saidAt)
  if (near.length > 0) return near.reduce(laterOf)
  return claims.map(({ bornAt }) => bornAt).reduce((a, b) => (a <= b ? a : b))
}

/** Saying the same again moves no number (F-09): only evidence makes a claim younger. */
const saidAt = ({ bornAt, verifiedAt }: LineClaim): Instant => laterOf(bornAt, verifiedAt ?? bornAt)

function bandAt(days: number, { numbers }: Policy): Band {
  if (days < numbers.currencyFreshDays) return 'Fresh'
  return days < numbers.currencyAgingDays ? 'AgingUnconfirmed' : 'Decayed'
}
