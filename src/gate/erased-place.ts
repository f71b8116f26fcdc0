import {
  cardinalityOf,
  isKeptOut,
  isLineClaim,
  isPhrasing,
  isSameVoice,
  isUnsupported,
  isUnsure,
  type LineClaim,
  spanOf,
  speaksFrom,
  supportersOf,
  takesPart,
  tellerOf,
} from '../belief/line-claims.ts'
import type { Facts } from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'
import { overlaps } from '../domain/span.ts'
import type { MemoryState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import type { Lines } from './rivals.ts'

/** What its entry says of the place of a claim that is erased; nothing of what it said. */
export function placeFacts(memory: MemoryState, lines: Lines): Facts {
  const { line } = memory
  if (!isLineClaim(memory) || line === null) return {}
  const { policy } = lines
  const { overruledBy, endedAt } = memory.claim
  return {
    dated: spanOf(memory, policy).from !== null,
    ...(hasSay(memory, () => lines.onLine(line).filter(isLineClaim), policy)
      ? {}
      : { silent: true }),
    ...(overruledBy === null ? {} : { by: overruledBy }),
    ...(endedAt === null ? {} : { until: endedAt }),
  }
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
  policy: Policy,
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
    const by = firstOver(claim, leaving, policy)
    if (by && !isCovered(claim, speaksFrom(by, policy), { byRef, policy })) {
      kept.push({ ref: claim.ref, op: 'claim.superseded', facts: { by: by.ref } })
    }
  }
  const teller = tellerOf(staying)
  if (teller && cardinalityOf(staying) !== kind) {
    kept.push({ ref: teller.ref, op: 'claim.recast', facts: { to: kind } })
  }
  return kept
}

/** Of those that go, what spoke over a claim of its own voice the longest. */
function firstOver(
  claim: LineClaim,
  leaving: readonly LineClaim[],
  policy: Policy,
): LineClaim | undefined {
  if (isKeptOut(claim) || isPhrasing(claim)) return undefined
  const span = spanOf(claim, policy)
  const over = leaving.filter(
    (other) =>
      other.seq > claim.seq &&
      other.identity !== claim.identity &&
      other.ref !== claim.claim.overruledBy &&
      other.claim.overruledBy !== claim.ref &&
      isSameVoice(other, claim) &&
      overlaps(spanOf(other, policy), span),
  )
  return over.find((other) => spanOf(other, policy).from !== null) ?? over[0]
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
