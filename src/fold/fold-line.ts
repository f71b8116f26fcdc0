import type { LineKind } from '../domain/claims.ts'
import type { Hash, Ref } from '../domain/ids.ts'
import { isFirstHand } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import { covers, type Instant } from '../domain/time.ts'
import { mayChange, voiceOfClaim } from './authority.ts'
import {
  anchorsOf,
  BASES,
  type Basis,
  basisOf,
  type Currency,
  cardinalityOf,
  currencyOf,
  isAnchored,
  isKeptOut,
  isTakenBack,
  isUnsupported,
  isUnsure,
  type LineClaim,
  spanOf,
  speaksFrom,
  supportersOf,
  takesPart,
} from './line-claims.ts'

/** The place that an erased claim keeps in its timeline, as far as entries tell without its words. */
export interface ErasedPlace {
  /** Start of the claim's validity; null where only the erased words would tell. */
  readonly from: Instant | null
  /** End of the claim's validity, as far as entries tell. */
  readonly until: Instant | null
  readonly by: Ref | null
  /** True where the claim was retracted, set aside or forgotten, so that no place is kept. */
  readonly isSilent: boolean
}

export type ErasedClaims = ReadonlyMap<Ref, ErasedPlace>

/**
 * An erased successor keeps its place: there the answer is unknown, and never the older value (18.7).
 * The dates of the claim went with its words, so the place is at least as wide as the dates were.
 */
const spokeThen = ({ from, until, isSilent }: ErasedPlace, validAt: Instant): boolean =>
  !isSilent && (from === null || from <= validAt) && (until === null || validAt < until)

const STANDINGS = ['held', 'contested', 'unknown', 'retracted'] as const
/** The standing of an answer: held, contested, retracted or unknown. */
export type Standing = (typeof STANDINGS)[number]

/** A question about a timeline: the time of validity, and the time of asking for currency. */
interface Question {
  readonly policy: Policy
  readonly validAt: Instant
  readonly now: Instant
  /** Folds in the order of origin instead of the local ledger. */
  readonly byOrigin?: boolean
  /** Cardinality of the timeline, where known from claims outside this fold. */
  readonly cardinality?: LineKind
  /** Erased claims of the timeline that took the place of folded ones. */
  readonly erased?: ErasedClaims
}

/** A value with all claims that assert the value at the time of the question. */
export interface Side {
  readonly identity: Hash
  readonly basis: Basis
  /** Oldest first. */
  readonly claims: readonly LineClaim[]
  /** Independent first-hand sources, each counted once (FIREWALL-INDEPENDENT). */
  readonly evidence: number
  readonly currency: Currency
}

export interface LineFold {
  readonly standing: Standing
  readonly cardinality: LineKind
  /** The held value, the sides of a contest, or the members of a set. */
  readonly sides: readonly Side[]
  /** Other values of models or lower tiers, shown beside the answer and never above. */
  readonly beside: readonly Side[]
  /** Claims that would answer if nobody had retracted them. */
  readonly takenBack: readonly Ref[]
  /** Claims that would answer if nobody had erased them. */
  readonly erased: readonly Ref[]
}

/**
 * Answers a question from the claims of a timeline. Pure: depends on the claims alone, not on the
 * entries that the gate wrote about a succession or a contest.
 */
export function foldLine(line: readonly LineClaim[], asked: Question): LineFold {
  if (!asked.byOrigin) return foldInOrder(line, asked)
  const fold = foldInOrder(numberedByOrigin(line), asked)
  const own = new Map(line.map((claim) => [claim.ref, claim]))
  const restored = (sides: readonly Side[]): readonly Side[] =>
    sides.map((side) => ({ ...side, claims: side.claims.map((each) => own.get(each.ref) ?? each) }))
  return { ...fold, sides: restored(fold.sides), beside: restored(fold.beside) }
}

function foldInOrder(line: readonly LineClaim[], asked: Question): LineFold {
  const { policy, validAt } = asked
  const claims = inOrder(line)
  const cardinality = asked.cardinality ?? cardinalityOf(claims)
  const active = claims.filter(takesPart)
  const isDoubted = active.some((claim) => isUnsure(claim, policy))
  const supports = isDoubted ? supportersOf(active) : NOBODY
  const standing = active.filter(
    (claim) => covers(spanOf(claim, policy), validAt) && !isUnsupported(claim, supports, policy),
  )
  const takenBack = claims
    .filter((claim) => isTakenBack(claim) && !isKeptOut(claim))
    .filter((claim) => covers(spanOf(claim, policy), validAt))
    .map(({ ref }) => ref)
  if (cardinality === 'SetValued') {
    const isSaid = standing.some(({ label }) => isFirstHand(label))
    const members = standing.filter(({ label }) => !isSaid || isFirstHand(label))
    const sides = sidesOf(members, asked)
    const said = new Set(members.map(({ identity }) => identity))
    const beside = sidesOf(
      standing.filter(({ identity }) => !said.has(identity)),
      asked,
    )
    const isHeld = standingOf(sides.slice(0, 1), takenBack)
    return { standing: isHeld, cardinality, sides, beside, takenBack, erased: [] }
  }
  const { speaking, erased } = unsucceeded(standing, claims, asked)
  const best = BASES.find((basis) => speaking.some(({ label }) => basisOf(label) === basis))
  const voices = speaking.filter(({ label }) => basisOf(label) === best)
  const highest = best === 'first-hand' ? highestOf(voices) : undefined
  const mayStand = (claim: LineClaim): boolean =>
    highest === undefined || mayChange(voiceOfClaim(claim), highest, CONTEST)
  const values = new Set(voices.filter(mayStand).map(({ identity }) => identity))
  // A claim with a checked quote contests first-hand claims; without rivals the claim is a model's.
  const isBest = (claim: LineClaim): boolean =>
    basisOf(claim.label) === best
      ? values.has(claim.identity)
      : best === 'first-hand' && isAnchored(claim) && mayStand(claim)
  const sides = sidesOf(speaking.filter(isBest), asked)
  const said = new Set(sides.map(({ identity }) => identity))
  const beside = sidesOf(
    speaking.filter((claim) => !isBest(claim) && !said.has(claim.identity)),
    asked,
  )
  return { standing: standingOf(sides, takenBack), cardinality, sides, beside, takenBack, erased }
}

/** A lower tier never contests a higher one: other values are shown beside the answer. */
const highestOf = (claims: readonly LineClaim[]): LineClaim | undefined =>
  claims.reduce<LineClaim | undefined>(
    (top, claim) => (top === undefined || claim.tier > top.tier ? claim : top),
    undefined,
  )

const CONTEST = { type: 'contest' } as const
const SUCCEED = { type: 'succeed' } as const

/** Stores return timelines in order; checking the order costs less than sorting. */
const inOrder = (line: readonly LineClaim[]): readonly LineClaim[] =>
  line.every(({ seq }, at) => at === 0 || (line[at - 1]?.seq ?? 0) < seq)
    ? line
    : [...line].sort((a, b) => a.seq - b.seq)

/** Claims of several replicas, in an order that each replica works out alike. */
const numberedByOrigin = (line: readonly LineClaim[]): readonly LineClaim[] =>
  [...line]
    .sort((a, b) =>
      a.bornAt === b.bornAt ? (a.ref < b.ref ? -1 : 1) : a.bornAt < b.bornAt ? -1 : 1,
    )
    .map((claim, seq) => ({ ...claim, seq }))

const NOBODY: ReturnType<typeof supportersOf> = new Map()

function standingOf(sides: readonly Side[], takenBack: readonly Ref[]): Standing {
  if (sides.length > 1) return 'contested'
  if (sides.length === 1) return 'held'
  return takenBack.length > 0 ? 'retracted' : 'unknown'
}

/** One side for each value, in the order of first mention. */
function sidesOf(claims: readonly LineClaim[], { policy, now }: Question): readonly Side[] {
  const byValue = new Map<Hash, LineClaim[]>()
  for (const claim of claims) {
    const same = byValue.get(claim.identity)
    if (same) same.push(claim)
    else byValue.set(claim.identity, [claim])
  }
  return [...byValue].map(([identity, same]) => {
    const anchors = anchorsOf(same, policy).length
    return {
      identity,
      basis: BASES.find((basis) => same.some(({ label }) => basisOf(label) === basis)) ?? 'recall',
      claims: same,
      evidence: anchors,
      currency: currencyOf(same, { policy, now, anchors }),
    }
  })
}

/**
 * The last claim of each voice, without claims overruled by a claim that holds at the time. A claim that
 * overrules a successor overrules the predecessors too: one verdict settles all earlier claims.
 */
function unsucceeded(
  claims: readonly LineClaim[],
  line: readonly LineClaim[],
  { policy, validAt, erased = NONE_ERASED }: Question,
): { readonly speaking: readonly LineClaim[]; readonly erased: readonly Ref[] } {
  const from = beginnings(claims, policy)
  const speaks = (ref: Ref): boolean => {
    const gone = erased.get(ref)
    return gone ? spokeThen(gone, validAt) : from(ref) <= validAt
  }
  const isOverruled = overruling(line, erased, speaks)
  const open = claims.filter(
    ({ ref, claim }) => !isOverruled(ref) && !claim.silencedBy?.some(speaks),
  )
  // Without a claim that holds, the claim with the earliest start is the best answer.
  const order = (a: LineClaim, b: LineClaim): number => {
    if (speaks(a.ref) !== speaks(b.ref)) return speaks(a.ref) ? 1 : -1
    if (speaks(a.ref)) return a.seq - b.seq
    const [x, y] = [from(a.ref), from(b.ref)]
    return x === y ? b.seq - a.seq : x < y ? 1 : -1
  }
  // The erased claim may have had the earliest start: then nothing is left to answer.
  const isLeft =
    erased.size === 0 || overruling(line, erased, (ref) => !erased.has(ref) && speaks(ref))
  const hushed = isLeft === true ? [] : claims.filter(({ ref }) => !isLeft(ref))
  const isHushed = (voice: string): boolean =>
    hushed.some((claim) => voiceOf(claim) === voice && !open.includes(claim))
  const voices = new Map<string, LineClaim[]>()
  for (const claim of open) {
    const voice = voiceOf(claim)
    const same = voices.get(voice)
    if (same) same.push(claim)
    else voices.set(voice, [claim])
  }
  const kept = [...voices].flatMap(([voice, same]) => {
    if (hushed.length > 0 && !same.some(({ ref }) => speaks(ref)) && isHushed(voice)) return []
    if (same.length === 1) return same
    const said = same.sort(order)
    return said.filter((claim, at) => !said.slice(at + 1).some((later) => succeeds(later, claim)))
  })
  return {
    speaking: kept.sort((a, b) => a.seq - b.seq),
    erased: [...erased.keys()].filter((ref) => speaks(ref) && !isOverruled(ref)),
  }
}

/** A voice replaces its own claims of the same tier or a lower one, and never claims of a higher tier. */
const succeeds = (later: LineClaim, earlier: LineClaim): boolean =>
  later.identity !== earlier.identity && mayChange(voiceOfClaim(later), earlier, SUCCEED)

/** Start of validity for each claim; computed lazily, since most timelines never need the starts. */
function beginnings(claims: readonly LineClaim[], policy: Policy): (ref: Ref) => string {
  let known: Map<Ref, Instant> | null = null
  return (ref) => {
    known ??= new Map(claims.map((claim) => [claim.ref, speaksFrom(claim, policy)]))
    return known.get(ref) ?? NEVER
  }
}

const voiceOf = ({ label, sourceId }: LineClaim): string => `${label} ${sourceId}`

const NEVER = '~' // behind every instant
const NONE_ERASED: ErasedClaims = new Map()

/** Tells whether a claim that holds lies on the chain of claims that overruled a given claim. */
function overruling(
  line: readonly LineClaim[],
  erased: ErasedClaims,
  speaks: (ref: Ref) => boolean,
): (ref: Ref) => boolean {
  const next = new Map<Ref, Ref | null>()
  for (const { ref, claim } of line)
    if (claim.overruledBy !== null) next.set(ref, claim.overruledBy)
  for (const [ref, { by }] of erased) next.set(ref, by)
  const known = new Map<Ref, boolean>()
  return (ref) => {
    if ((next.get(ref) ?? null) === null) return false
    const way = new Set<Ref>()
    let isOverruled = false
    for (let at = next.get(ref) ?? null, before = ref; at !== null; ) {
      way.add(before)
      isOverruled = known.get(before) ?? speaks(at)
      // Honest verdicts form no circle; a forged circle must still end the loop.
      if (isOverruled || known.has(before) || way.has(at)) break
      before = at
      at = next.get(at) ?? null
    }
    for (const each of way) known.set(each, isOverruled)
    return isOverruled
  }
}

/** Number of claims of a timeline that a reader was not given: replaced claims and past claims. */
interface LeftOut {
  readonly gaveWay: number
  readonly over: number
}

/**
 * Tells whether the given claims suffice for an answer. Past claims do not answer, but may support a
 * claim too unsure alone. Replaced claims are silent where all others hold, and never matter in a set.
 */
export function isEnough(
  claims: readonly LineClaim[],
  { policy, validAt, cardinality }: Pick<Question, 'policy' | 'validAt' | 'cardinality'>,
  { gaveWay, over }: LeftOut,
): boolean {
  if (gaveWay + over === 0) return true
  if (claims.some((claim) => isUnsure(claim, policy))) return false
  if (gaveWay === 0) return true
  return (
    over === 0 &&
    cardinality !== 'SetValued' &&
    claims.every(
      (claim) =>
        takesPart(claim) &&
        covers(spanOf(claim, policy), validAt) &&
        speaksFrom(claim, policy) <= validAt,
    )
  )
}

/** Standing of a claim in its timeline today. */
const CLAIM_STATUSES = [
  'held',
  'contested',
  'beside', // a model's, beside what was said first-hand
  'replaced', // by the same voice's later word, or by a verdict
  'past',
  'planned',
  'retracted',
  'denied',
  'set_aside',
] as const
export type ClaimStatus = (typeof CLAIM_STATUSES)[number]

export const isClaimStatus = (value: unknown): value is ClaimStatus =>
  CLAIM_STATUSES.some((status) => status === value)

const refsIn = (sides: readonly Side[]): ReadonlySet<Ref> =>
  new Set(sides.flatMap((side) => side.claims.map(({ ref }) => ref)))

/** Status of each claim of a folded timeline. */
export function statusIn(
  fold: LineFold,
  { policy, now }: Pick<Question, 'policy' | 'now'>,
): (claim: LineClaim) => ClaimStatus {
  const [answering, beside] = [refsIn(fold.sides), refsIn(fold.beside)]
  return (claim) => {
    if (answering.has(claim.ref)) return fold.standing === 'contested' ? 'contested' : 'held'
    if (beside.has(claim.ref)) return 'beside'
    if (claim.claim.word === 'retracted' || claim.claim.word === 'denied') return claim.claim.word
    if (isKeptOut(claim) || claim.strength.value === 0) return 'set_aside'
    const { from, until } = spanOf(claim, policy)
    if (until !== null && until <= now) return 'past'
    return from !== null && from > now ? 'planned' : 'replaced'
  }
}
