import { claimStateOf } from '../../domain/claims.ts'
import type { Tier } from '../../domain/doors.ts'
import { CRITICALITIES } from '../../domain/kinds/claim.ts'
import { facetsOf } from '../../domain/kinds/content.ts'
import { isFirstHand, labelName } from '../../domain/labels.ts'
import { mayChange, voiceOfClaim } from '../../fold/authority.ts'
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
import type { Case, Rule, Verdict } from '../case.ts'
import { firstHandAgainst } from '../rivals.ts'

/** A claim that disagrees with its timeline is kept as a rival and displaces no other voice. */
export const conflict: Rule = {
  name: 'conflict',
  judge: (c) => {
    const { line } = c.candidate.main.keys
    if (line === null) return undefined
    const claims = c.desk.onLine(line).filter(isLineClaim)
    const rivals = isSet(c, claims) ? [] : firstHandAgainst(contenderOf(c), claims, c.desk)
    return judgeAgainst(c, rivals) ?? (isUncertain(c) ? pending(c) : undefined)
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

const pending = ({ policy }: Case): Verdict => ({
  type: 'admit',
  disposition: 'PendingLowConfidence',
  reasons: ['confidence_under_floor'],
  facts: { floor: policy.numbers.claimConfidenceFloor },
})

const NAMED_MAX = 16 // rivals named in an entry; the fact next to the list counts all

const against = (rivals: readonly LineClaim[]) => ({
  against: rivals.slice(0, NAMED_MAX).map(({ ref }) => ref),
  rivals: rivals.length,
})

const HIGHER = 'higher_tier_disagrees'

/** A claim of tier 0 that a higher tier contradicts appears with the answer and enters no queue. */
const QUEUED_FROM: Tier = 1

const judgeAgainst = (c: Case, rivals: readonly LineClaim[]): Admitted | undefined =>
  wordAgainst({ own: contenderOf(c), depth: c.depth, desk: c.desk }, rivals)

type Admitted = Extract<Verdict, { type: 'admit' }>

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
): Admitted | undefined {
  if (rivals.length === 0) return undefined
  const voice = voiceOfClaim(own)
  const may = (type: 'succeed' | 'contest', rival: LineClaim): boolean =>
    mayChange(voice, rival, { type })
  const above = rivals.filter((rival) => !may('contest', rival))
  const isQueued = own.tier >= QUEUED_FROM
  if (!isFirstHand(own.label)) {
    const cap = desk.policy.numbers.derivationDepthCapForOverturning
    const isDeep = isOverCap(depth.depthFarthest, cap)
    const facts = against(rivals)
    if (isDeep) {
      const reasons = ['depth_over_cap']
      return { type: 'admit', disposition: 'PendingConflict', reasons, facts }
    }
    if (isAnchored(own) && above.length > 0) {
      const disposition = isQueued ? 'PendingConflict' : 'CommittedInferred'
      return { type: 'admit', disposition, reasons: [HIGHER], facts: against(above) }
    }
    // A quote of another person's words contests a first-hand claim; the quote never takes the
    // claim's place.
    const [disposition, reason] = isAnchored(own)
      ? (['Contested', 'quote_against_first_hand'] as const)
      : (['CommittedInferred', 'model_against_first_hand'] as const)
    return { type: 'admit', disposition, reasons: [reason], facts }
  }
  const earlier = rivals.filter((rival) => may('succeed', rival))
  // Each of two sides of a contest may contest the other; over a lower tier a claim is held.
  const isEqual = (rival: LineClaim): boolean =>
    may('contest', rival) && mayChange(voiceOfClaim(rival), own, { type: 'contest' })
  const others = rivals.filter((rival) => !isSameVoice(rival, own) && isEqual(rival))
  const succeeds = earlier.length > 0 ? { succeeds: earlier.map(({ ref }) => ref) } : {}
  const said = earlier.length > 0 ? ['succession'] : []
  if (above.length > 0) {
    const facts = { ...against(above), ...succeeds }
    const disposition = isQueued ? 'PendingConflict' : 'CommittedCheap'
    return { type: 'admit', disposition, reasons: [HIGHER, ...said], facts }
  }
  if (others.length === 0) {
    if (earlier.length === 0) return undefined
    return { type: 'admit', disposition: 'CommittedCheap', reasons: said, facts: succeeds }
  }
  return {
    type: 'admit',
    disposition: isAsked(desk, [own, ...others]) ? 'QueuedForAdjudication' : 'Contested',
    reasons: ['first_hand_disagreement', ...said],
    facts: { ...against(others), ...succeeds },
  }
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
