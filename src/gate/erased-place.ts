import type { Facts } from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'
import { ALWAYS, overlaps, type Span } from '../domain/span.ts'
import type { MemoryState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import {
  cardinalityOf,
  isKeptOut,
  isLineClaim,
  isSameVoice,
  isUnsupported,
  isUnsure,
  type LineClaim,
  spanOf,
  speaksFrom,
  supportersOf,
  takesPart,
  tellerOf,
} from '../fold/line-claims.ts'
import type { Lines } from './rivals.ts'

/**
 * What its entry says of the place of a claim that is erased; nothing of what it said. Its dates are
 * words of its own, so the place is rounded outwards to moments that entries tell anyway: when it was
 * said, when somebody ended it, and, where it was over by then, when it was erased.
 */
export function placeFacts(memory: MemoryState, lines: Lines, time: Instant): Facts {
  const { line } = memory
  if (!isLineClaim(memory) || line === null) return {}
  const { policy } = lines
  const { overruledBy } = memory.claim
  const { from, until } = placeOf(memory, policy, time)
  return {
    dated: from === null,
    ...(hasSay(memory, () => lines.onLine(line).filter(isLineClaim), policy)
      ? {}
      : { silent: true }),
    ...(overruledBy === null ? {} : { by: overruledBy }),
    ...(until === null ? {} : { until }),
  }
}

/** A window that holds all of the claim's own; a side that nothing but its words would tell is open. */
function placeOf(claim: LineClaim, policy: Policy, time: Instant): Span {
  const { from, until } = spanOf(claim, policy)
  const { endedAt } = claim.claim
  const isDatedBack = from !== null && from < claim.bornAt
  const ends = [endedAt, until !== null && until <= time ? time : null].flatMap((at) => at ?? [])
  return { from: isDatedBack ? null : claim.bornAt, until: ends.sort()[0] ?? null }
}

/** Whether a line is folded from it, and it is believed enough to speak there. */
function hasSay(claim: LineClaim, line: () => readonly LineClaim[], policy: Policy): boolean {
  if (!takesPart(claim)) return false
  if (!isUnsure(claim, policy)) return true
  const active = line().filter(takesPart)
  return !isUnsupported(claim, supportersOf(active), policy)
}

interface PlaceKept {
  readonly ref: Ref
  readonly op: 'claim.superseded' | 'claim.recast'
  readonly facts: Facts
}

/**
 * What must be said of claims that stay, so that a line goes on without those that go: what their
 * own voice had said before does not speak up again (18.7), and the line stays of its kind.
 */
export function placesKept(
  claims: readonly LineClaim[],
  going: ReadonlySet<Ref>,
  { policy, time }: { readonly policy: Policy; readonly time: Instant },
): readonly PlaceKept[] {
  const kind = cardinalityOf(claims)
  const staying = claims.filter(({ ref }) => !going.has(ref))
  const byRef = new Map(staying.map((claim) => [claim.ref, claim]))
  const leaving = claims
    .filter(({ ref }) => going.has(ref))
    .filter((claim) => hasSay(claim, () => claims, policy))
    .filter((claim) => !isCovered(claim, speaksFrom(claim, policy), { byRef, policy }))
  const kept: PlaceKept[] = []
  for (const claim of kind === 'SetValued' || leaving.length === 0 ? [] : staying) {
    for (const by of widest(allOver(claim, leaving, policy), policy, time)) {
      if (isCovered(claim, speaksFrom(by, policy), { byRef, policy })) continue
      kept.push({ ref: claim.ref, op: 'claim.superseded', facts: { by: by.ref } })
    }
  }
  const teller = tellerOf(staying)
  if (teller && cardinalityOf(staying) !== kind) {
    kept.push({ ref: teller.ref, op: 'claim.recast', facts: { to: kind } })
  }
  return kept
}

/** Those whose places hold the places of all; of two that are alike, the first. */
function widest(
  leaving: readonly LineClaim[],
  policy: Policy,
  time: Instant,
): readonly LineClaim[] {
  const places = leaving.map((claim) => ({ claim, place: placeOf(claim, policy, time) }))
  const isSpare = (at: number): boolean =>
    places.some(
      ({ place }, other) =>
        other !== at &&
        isWithin(places[at]?.place ?? ALWAYS, place) &&
        (other < at || !isWithin(place, places[at]?.place ?? ALWAYS)),
    )
  return places.flatMap(({ claim }, at) => (isSpare(at) ? [] : [claim]))
}

const isWithin = (inner: Span, outer: Span): boolean =>
  (outer.from === null || (inner.from !== null && outer.from <= inner.from)) &&
  (outer.until === null || (inner.until !== null && inner.until <= outer.until))

/** Of those that go, what spoke over a claim of its own voice. */
function allOver(
  claim: LineClaim,
  leaving: readonly LineClaim[],
  policy: Policy,
): readonly LineClaim[] {
  if (isKeptOut(claim)) return []
  const span = spanOf(claim, policy)
  return leaving.filter(
    (other) =>
      other.seq > claim.seq &&
      other.identity !== claim.identity &&
      other.ref !== claim.claim.overruledBy &&
      other.claim.overruledBy !== claim.ref &&
      isSameVoice(other, claim) &&
      overlaps(spanOf(other, policy), span),
  )
}

interface Staying {
  readonly byRef: ReadonlyMap<Ref, LineClaim>
  readonly policy: Policy
}

/** Whether something that stays took its place, and speaks wherever the one that goes did. */
function isCovered({ claim }: LineClaim, from: Instant, { byRef, policy }: Staying): boolean {
  const way = new Set<Ref>()
  for (let at = claim.overruledBy; at !== null && !way.has(at); ) {
    way.add(at)
    const next = byRef.get(at)
    if (!next) return false
    const isSaid = takesPart(next) && !isUnsure(next, policy)
    if (isSaid && spanOf(next, policy).until === null && speaksFrom(next, policy) <= from) {
      return true
    }
    at = next.claim.overruledBy
  }
  return false
}
