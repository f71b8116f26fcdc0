import type { Facts } from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'
import type { MemoryState } from '../domain/state.ts'
import { ALWAYS, type Instant, overlaps, type Span } from '../domain/time.ts'
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
 * Facts about the time span of an erased claim, and nothing about its content. The claim's own
 * dates are content, so the span is rounded outwards to moments that entries record anyway: the
 * claim's birth, its end by a person, and the erasure where the claim was over by then.
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

/** A span that contains the claim's own span; a side known only from the claim's words is open. */
function placeOf(claim: LineClaim, policy: Policy, time: Instant): Span {
  const { from, until } = spanOf(claim, policy)
  const { endedAt } = claim.claim
  const isDatedBack = from !== null && from < claim.bornAt
  const ends = [endedAt, until !== null && until <= time ? time : null].flatMap((at) => at ?? [])
  return { from: isDatedBack ? null : claim.bornAt, until: ends.sort()[0] ?? null }
}

/** True for a claim in the timeline with enough confidence or support to count. */
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
 * Entries about the remaining claims, so that an erasure does not change their timeline. Claims
 * superseded by an erased claim stay superseded (18.7), and the timeline keeps its cardinality.
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

/** Claims whose spans contain the spans of all others; of two equal spans, the first. */
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

/** The claims about to be erased that superseded the given claim of the same voice. */
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

/** True where a remaining claim took over the whole span of the erased claim. */
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
