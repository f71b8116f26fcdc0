import { claimStateOf } from '../../domain/claims.ts'
import type { Tier } from '../../domain/doors.ts'
import { CRITICALITIES } from '../../domain/kinds/claim.ts'
import { facetsOf } from '../../domain/kinds/content.ts'
import { isFirstHand, labelName } from '../../domain/labels.ts'
import { mayChange, voiceOfClaim } from '../../fold/authority.ts'
import { admitted } from '../../fold/fold-change.ts'
import { isLive } from '../../fold/fold-memory.ts'
import {
  type Contender,
  cardinalityOf,
  isAnchored,
  isLineClaim,
  isSameVoice,
  type LineClaim,
} from '../../fold/line-claims.ts'
import { isOverCap } from '../../fold/lineage.ts'
import { type Admission, admitAs, type Case, type Rule } from '../case.ts'
import { firstHandAgainst } from '../rivals.ts'

/** A claim that disagrees with its timeline is kept as a rival and displaces no other voice. */
export const conflict: Rule = {
  name: 'conflict',
  judge: (c) => {
    const { line } = c.candidate.main.keys
    if (line === null) return undefined
    const claims = c.desk.onLine(line).filter(isLineClaim)
    const rivals = isSet(c, claims) ? [] : firstHandAgainst(contenderOf(c), claims, c.desk)
    const verdict = wordAgainst({ own: contenderOf(c), depth: c.depth, desk: c.desk }, rivals)
    if (verdict || !isUncertain(c)) return verdict
    const facts = { floor: c.policy.numbers.claimConfidenceFloor }
    return admitAs('PendingLowConfidence', ['confidence_under_floor'], facts)
  },
}

/** The draft's claim, in the shape of a claim in the timeline. */
function contenderOf({ candidate, quoting: { quote }, tier }: Case): Contender {
  const { main, draft } = candidate
  const claim = claimStateOf(main.kind, main.body)
  return {
    ref: main.ref,
    identity: main.keys.identity,
    label: labelName(draft.origin.label),
    sourceId: draft.origin.sourceId,
    tier,
    claim: { ...(claim as NonNullable<typeof claim>), ...(quote ? { quotes: quote.of } : {}) }, // only a claim has a timeline
  }
}

function isSet({ candidate, desk }: Case, claims: readonly LineClaim[]): boolean {
  const { main, draft } = candidate
  const own = {
    disposition: 'CommittedCheap',
    facets: facetsOf(main.kind, main.body),
    seq: desk.nextSeq,
    label: labelName(draft.origin.label),
  } as const
  const others = claims.filter(({ ref }) => ref !== main.ref)
  return cardinalityOf([...others, own]) === 'SetValued'
}

const NAMED_MAX = 16 // rivals named in an entry; the fact next to the list counts all

const against = (rivals: readonly LineClaim[]) => ({
  against: rivals.slice(0, NAMED_MAX).map(({ ref }) => ref),
  rivals: rivals.length,
})

const HIGHER = 'higher_tier_disagrees'

/** A claim of tier 0 that a higher tier contradicts appears with the answer and enters no queue. */
const QUEUED_FROM: Tier = 1

interface Contending {
  readonly own: Contender
  readonly depth: Pick<Case['depth'], 'depthFarthest'>
  readonly desk: Case['desk']
}

/**
 * Model output never overturns first-hand claims (FIREWALL-MODEL), and a lower tier never contests
 * a higher one (FIREWALL-AUTHORITY): a person finds the disagreement in review.
 */
export function wordAgainst(
  { own, depth, desk }: Contending,
  rivals: readonly LineClaim[],
): Admission | undefined {
  if (rivals.length === 0) return undefined
  const voice = voiceOfClaim(own)
  const may = (type: 'succeed' | 'contest', rival: LineClaim): boolean =>
    mayChange(voice, rival, { type })
  const above = rivals.filter((rival) => !may('contest', rival))
  const underAbove = own.tier >= QUEUED_FROM ? 'PendingConflict' : admitted(own.label)
  if (!isFirstHand(own.label)) {
    const cap = desk.policy.numbers.derivationDepthCapForOverturning
    const isDeep = isOverCap(depth.depthFarthest, cap)
    if (isDeep) return admitAs('PendingConflict', ['depth_over_cap'], against(rivals))
    if (!isAnchored(own)) {
      return admitAs('CommittedInferred', ['model_against_first_hand'], against(rivals))
    }
    if (above.length > 0) return admitAs(underAbove, [HIGHER], against(above))
    // A quote of another person's words contests a first-hand claim; the quote never takes the
    // claim's place.
    return admitAs('Contested', ['quote_against_first_hand'], against(rivals))
  }
  const earlier = rivals.filter((rival) => may('succeed', rival))
  // Each of two sides of a contest may contest the other; over a lower tier a claim is held.
  const isEqual = (rival: LineClaim): boolean =>
    may('contest', rival) && mayChange(voiceOfClaim(rival), own, { type: 'contest' })
  const others = rivals.filter((rival) => !isSameVoice(rival, own) && isEqual(rival))
  const succeeds = earlier.length > 0 ? { succeeds: earlier.map(({ ref }) => ref) } : {}
  const said = earlier.length > 0 ? ['succession'] : []
  if (above.length > 0) {
    return admitAs(underAbove, [HIGHER, ...said], { ...against(above), ...succeeds })
  }
  if (others.length === 0) {
    return earlier.length === 0 ? undefined : admitAs('CommittedCheap', said, succeeds)
  }
  const word = isAsked(desk, [own, ...others]) ? 'QueuedForAdjudication' : 'Contested'
  const reasons = ['first_hand_disagreement', ...said]
  return admitAs(word, reasons, { ...against(others), ...succeeds })
}

/** A contest is queued where an oracle listens; a contest of a critical claim is always queued. */
function isAsked({ setting }: Case['desk'], contenders: readonly Contender[]): boolean {
  const high = CRITICALITIES.indexOf('High')
  const isCritical = contenders.some(
    ({ claim }) => CRITICALITIES.indexOf(claim.criticality) >= high,
  )
  return isCritical || setting.hasOracle === true
}

/** True without a first-hand claim of another actor; earlier words of the memory do not count. */
function isUncertain({ candidate, confidence, desk, policy }: Case): boolean {
  const { draft, main } = candidate
  if (confidence.to >= policy.numbers.claimConfidenceFloor) return false
  return !desk
    .saying(main.keys.identity)
    .some(
      (memory) =>
        memory.ref !== main.ref &&
        memory.sourceId !== draft.origin.sourceId &&
        isFirstHand(memory.label) &&
        isLive(memory, policy),
    )
}
