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

/** The place that an erased claim keeps on its line, as far as it is known without its words. */
export interface ErasedPlace {
  /** From when on it spoke over what was said before; null where only its words would tell. */
  readonly from: Instant | null
  /** By when it was over, as far as entries tell. */
  readonly until: Instant | null
  readonly by: Ref | null
  /** It was taken back, set aside or forgotten: its place is nobody's. */
  readonly isSilent: boolean
}

export type ErasedClaims = ReadonlyMap<Ref, ErasedPlace>

/**
 * An erased successor keeps its place: where it spoke, the answer is unknown and never the older
 * value (18.7). Its own dates went with its words, so the place is never narrower than they were.
 */
const spokeThen = ({ from, until, isSilent }: ErasedPlace, validAt: Instant): boolean =>
  !isSilent && (from === null || from <= validAt) && (until === null || validAt < until)

const STANDINGS = ['held', 'contested', 'unknown', 'retracted'] as const
export type Standing = (typeof STANDINGS)[number]

/** What to answer about: when it is to hold, and when it is asked, which is what currency goes by. */
interface Question {
  readonly policy: Policy
  readonly validAt: Instant
  readonly now: Instant
  /** What kind of line it is, where that is known from more of it than is folded. */
  readonly cardinality?: LineKind
  /** Claims of the line that were erased, where any of those folded gave way to them. */
  readonly erased?: ErasedClaims
}

/** One value, and everything that speaks for it then. */
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
  /** What is held, the sides of a contest, or the members of a set. */
  readonly sides: readonly Side[]
  /** What models or lower tiers say otherwise, shown with the answer and never over it. */
  readonly beside: readonly Side[]
  /** What would have answered, had nobody taken it back. */
  readonly takenBack: readonly Ref[]
  /** What would have answered, had it not been erased. */
  readonly erased: readonly Ref[]
}

/**
 * What a line's claims come to at a moment of valid time. Pure, and from the claims alone: which
 * words the gate wrote about a succession or a contest is no part of it.
 */
export function foldLine(line: readonly LineClaim[], asked: Question): LineFold {
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
  // What quotes somebody's own words stands up to what others said first-hand; alone it is a model's.
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

/** A lower tier never contests a higher one: what it says otherwise is shown beside the answer. */
const highestOf = (claims: readonly LineClaim[]): LineClaim | undefined =>
  claims.reduce<LineClaim | undefined>(
    (top, claim) => (top === undefined || claim.tier > top.tier ? claim : top),
    undefined,
  )

const CONTEST = { type: 'contest' } as const
const SUCCEED = { type: 'succeed' } as const

/** Stores give lines in their order, which is seen sooner than it is made. */
const inOrder = (line: readonly LineClaim[]): readonly LineClaim[] =>
  line.every(({ seq }, at) => at === 0 || (line[at - 1]?.seq ?? 0) < seq)
    ? line
    : [...line].sort((a, b) => a.seq - b.seq)

const NOBODY: ReturnType<typeof supportersOf> = new Map()

function standingOf(sides: readonly Side[], takenBack: readonly Ref[]): Standing {
  if (sides.length > 1) return 'contested'
  if (sides.length === 1) return 'held'
  return takenBack.length > 0 ? 'retracted' : 'unknown'
}

/** One side a value, in the order in which each was first said. */
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
 * The last word of each voice, less what was overruled by something that holds then. What took the
 * place of a claim's successor took its place too: one verdict settles all that went before.
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
  // Where nothing speaks yet, what speaks first is the best there is.
  const order = (a: LineClaim, b: LineClaim): number => {
    if (speaks(a.ref) !== speaks(b.ref)) return speaks(a.ref) ? 1 : -1
    if (speaks(a.ref)) return a.seq - b.seq
    const [x, y] = [from(a.ref), from(b.ref)]
    return x === y ? b.seq - a.seq : x < y ? 1 : -1
  }
  // Unless what spoke first may be what was erased.
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

/** A voice takes back what it said at the same tier or a lower one, and never what a higher tier says. */
const succeeds = (later: LineClaim, earlier: LineClaim): boolean =>
  later.identity !== earlier.identity && mayChange(voiceOfClaim(later), earlier, SUCCEED)

/** From when on each of them speaks; worked out once somebody asks, since most lines never do. */
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

/** Whether anything speaks along the way from a claim to what overruled it, and what overruled that. */
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
      // Nobody overrules in a circle; what a forger wrote must still come to an end.
      if (isOverruled || known.has(before) || way.has(at)) break
      before = at
      at = next.get(at) ?? null
    }
    for (const each of way) known.set(each, isOverruled)
    return isOverruled
  }
}

/** How many claims of a line a reader was not given: those that gave way, and those that are over. */
interface LeftOut {
  readonly gaveWay: number
  readonly over: number
}

/**
 * Whether a question can be answered without what was left out. What is over says nothing then, but
 * may support what nobody would believe alone. What gave way is silent where all of the others speak,
 * and in a set it does not matter what gave way.
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

/** Tells of each claim of a folded line where it stands. */
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
