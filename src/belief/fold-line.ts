import type { Hash, Ref } from '../domain/ids.ts'
import type { Cardinality } from '../domain/kinds/claim.ts'
import type { Policy } from '../domain/policy.ts'
import { covers } from '../domain/span.ts'
import type { Instant } from '../domain/time.ts'
import { anchorsOf, type Currency, currencyOf } from './currency.ts'
import {
  BASES,
  type Basis,
  basisOf,
  cardinalityOf,
  isKeptOut,
  isTakenBack,
  isUnsupported,
  type LineClaim,
  spanOf,
  speaksFrom,
  takesPart,
} from './line-claims.ts'

export const STANDINGS = ['held', 'contested', 'unknown', 'retracted'] as const
export type Standing = (typeof STANDINGS)[number]

/** What to answer about: when it is to hold, and when it is asked, which is what currency goes by. */
export interface Question {
  readonly policy: Policy
  readonly validAt: Instant
  readonly now: Instant
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
  readonly cardinality: Exclude<Cardinality, 'Unknown'>
  /** What is held, the sides of a contest, or the members of a set. */
  readonly sides: readonly Side[]
  /** What models say otherwise, shown beside what was said first-hand and never over it. */
  readonly beside: readonly Side[]
  /** What would have answered, had nobody taken it back. */
  readonly takenBack: readonly Ref[]
}

/**
 * What a line's claims come to at a moment of valid time. Pure, and from the claims alone: which
 * words the gate wrote about a succession or a contest is no part of it.
 */
export function foldLine(line: readonly LineClaim[], asked: Question): LineFold {
  const { policy, validAt } = asked
  const claims = [...line].sort((a, b) => a.seq - b.seq)
  const cardinality = cardinalityOf(claims)
  const active = claims.filter(takesPart)
  const standing = active.filter(
    (claim) => covers(spanOf(claim, policy), validAt) && !isUnsupported(claim, active, policy),
  )
  const takenBack = claims
    .filter((claim) => isTakenBack(claim) && !isKeptOut(claim))
    .filter((claim) => covers(spanOf(claim, policy), validAt))
    .map(({ ref }) => ref)
  if (cardinality === 'SetValued') {
    const sides = sidesOf(standing, asked)
    return {
      standing: standingOf(sides.slice(0, 1), takenBack),
      cardinality,
      sides,
      beside: [],
      takenBack,
    }
  }
  const speaking = unsucceeded(standing, asked)
  const best = BASES.find((basis) => speaking.some(({ label }) => basisOf(label) === basis))
  const isBest = ({ label }: LineClaim): boolean => basisOf(label) === best
  const sides = sidesOf(speaking.filter(isBest), asked)
  const said = new Set(sides.map(({ identity }) => identity))
  const beside = sidesOf(
    speaking.filter((claim) => !isBest(claim) && !said.has(claim.identity)),
    asked,
  )
  return { standing: standingOf(sides, takenBack), cardinality, sides, beside, takenBack }
}

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
    const bases = same.map(({ label }) => basisOf(label))
    return {
      identity,
      basis: BASES.find((basis) => bases.includes(basis)) ?? 'recall',
      claims: same,
      evidence: anchorsOf(same, policy).length,
      currency: currencyOf(same, { policy, now }),
    }
  })
}

/** The last word of each voice, less what was overruled by something that holds then. */
function unsucceeded(
  claims: readonly LineClaim[],
  { policy, validAt }: Question,
): readonly LineClaim[] {
  const from = new Map(claims.map((claim) => [claim.ref, speaksFrom(claim, policy)]))
  const speaks = (ref: Ref): boolean => (from.get(ref) ?? NEVER) <= validAt
  const open = claims.filter(({ claim: { overruledBy } }) => {
    return overruledBy === null || !speaks(overruledBy)
  })
  // Where nothing speaks yet, what speaks first is the best there is.
  const order = (a: LineClaim, b: LineClaim): number => {
    if (speaks(a.ref) !== speaks(b.ref)) return speaks(a.ref) ? 1 : -1
    if (speaks(a.ref)) return a.seq - b.seq
    const [x, y] = [from.get(a.ref) ?? NEVER, from.get(b.ref) ?? NEVER]
    return x === y ? b.seq - a.seq : x < y ? 1 : -1
  }
  const voices = new Map<string, LineClaim[]>()
  for (const claim of open) {
    const voice = `${claim.label} ${claim.sourceId}`
    const same = voices.get(voice)
    if (same) same.push(claim)
    else voices.set(voice, [claim])
  }
  const kept = [...voices.values()].flatMap((voice) => {
    const said = voice.sort(order)
    const other = said.findLastIndex(({ identity }) => identity !== said.at(-1)?.identity)
    return said.slice(other + 1)
  })
  return kept.sort((a, b) => a.seq - b.seq)
}

const NEVER = '~' // behind every instant
