import { claimStateOf } from '../domain/claims.ts'
import { lowerTier, type Tier, tierAtDoor } from '../domain/doors.ts'
import type { Facts, TierLift } from '../domain/entry.ts'
import type { MunimentError } from '../domain/errors.ts'
import { isFirstHand, isInferential, labelName } from '../domain/labels.ts'
import { kindPolicyOf, type Policy } from '../domain/policy.ts'
import type { Burst, MemoryState } from '../domain/state.ts'
import { type Instant, laterOf, toMs } from '../domain/time.ts'
import type { Disposition, RuleName } from '../domain/vocabulary.ts'
import { confidenceAt } from '../fold/effective.ts'
import type { Depth } from '../fold/lineage.ts'
import type { Desk } from './desk.ts'
import { distrustsOf } from './evidence.ts'
import { examineLineage, type LineageFinding, withInherited } from './lineage-finding.ts'
import { type Downgrade, downgradeOf, type Quoting, quotingOf } from './quote.ts'
import {
  type Fields,
  mayRestate,
  type Restatement,
  restatementOf,
  rewordingOf,
} from './restatement.ts'
import type { Candidate, Likeness } from './stamp.ts'
import { isBurst } from './tally.ts'
import { tierForTrust } from './words.ts'

/** A draft before the gate, with all inputs of the rules already computed. */
export interface Case {
  readonly candidate: Candidate
  readonly desk: Desk
  readonly policy: Policy
  readonly time: Instant
  readonly lineage: LineageFinding
  readonly depth: Depth
  readonly tier: Tier
  readonly confidence: RevisedConfidence
  /** The confidence cap of a statement more certain than its sources; null for others. */
  readonly downgrade: Downgrade | null
  /** Set where a checked quote raised the tier above the tier of a model's word. */
  readonly lift: TierLift | null
  /** Reasons that lowered the tier below the tier of the door, in the order applied. */
  readonly tierCaps: readonly string[]
  /** The distrust entries that cover the draft's actor, door or session; none for most drafts. */
  readonly distrustedBy: readonly number[]
  /** The place of the draft's quote in its source, or the fault of the quote. */
  readonly quoting: Quoting
  /** The burst counter with this write counted; null for a write that is never counted. */
  readonly burst: Burst | null
  /** Set where known words come with other fields. */
  readonly restated: Restatement | null
  /** The memory linked to the draft as its original wording. */
  readonly rewordingOf: Likeness | null
}

/** The confidence after a write, and before the write where the draft revises a memory. */
interface RevisedConfidence {
  readonly from: number | null
  readonly to: number
}

export type Verdict =
  /** Nothing reaches the ledger. */
  | { readonly type: 'error'; readonly error: MunimentError }
  | {
      readonly type: 'refuse'
      readonly reasons: readonly string[]
      readonly facts: Facts
      readonly message: string
      readonly hint: string
    }
  /** No new row: the write repeats a memory that exists. */
  | {
      readonly type: 'collapse'
      readonly onto: MemoryState
      readonly disposition: Disposition
      readonly reasons: readonly string[]
      readonly facts: Facts
    }
  | {
      readonly type: 'admit'
      readonly disposition: Disposition
      readonly reasons: readonly string[]
      readonly facts: Facts
    }
  /** Known words with other fields, from an author who may not revise the memory. */
  | { readonly type: 'propose'; readonly of: MemoryState; readonly fields: Fields }
  /** The memory is already saved, byte for byte: an answer, not a write. */
  | { readonly type: 'present'; readonly memory: MemoryState }

export type Admission = Extract<Verdict, { type: 'admit' }>

export const admitAs = (
  disposition: Disposition,
  reasons: readonly string[] = [],
  facts: Facts = {},
): Admission => ({ type: 'admit', disposition, reasons, facts })

export const collapseOnto = (
  onto: MemoryState,
  disposition: Disposition,
  reasons: readonly string[] = [],
  facts: Facts = {},
): Verdict => ({ type: 'collapse', onto, disposition, reasons, facts })

export interface Rule {
  readonly name: RuleName
  readonly judge: (c: Case) => Verdict | undefined
}

export const isAsserting = (c: Case): boolean =>
  kindPolicyOf(c.policy, c.candidate.main.kind).asserts

/**
 * True for a record of a person's files. Its words are no echo and no flood: each source keeps a
 * memory of its own, so that one source can be taken out without another.
 */
export const isAdopted = ({ draft: { caller } }: Candidate): boolean =>
  caller.door === 'import' && caller.operation === 'adopt'

export function openCase(given: Candidate, desk: Desk): Case {
  const { policy } = desk
  const time = desk.timeOf(given.arrival.time)
  const link = rewordingOf(given, desk, time)
  const burst = countBurst(given, desk, { time, link })
  const { origin, caller } = given.draft
  const { door, session } = caller
  const distrustedBy = distrustsOf(desk, { actor: origin.sourceId, door, session })
  // The burst rule quarantines a flood, and a flooding author revises nothing.
  const isFlood = burst !== null && isBurst(burst, policy)
  const isDistrusted = distrustedBy.length > 0
  const restated = isFlood ? null : restatementOf({ candidate: given, desk, isDistrusted, time })
  const own = restated?.type === 'revision' ? restated.candidate : given
  const candidate = withInherited(own, desk)
  const lineage = examineLineage(candidate, desk)
  const quoting = quotingOf(candidate, desk)
  const { tier, tierCaps, lift } = tierOf({ candidate, desk, lineage, quoting })
  const downgrade = downgradeOf(candidate, desk)
  return {
    candidate,
    desk,
    policy,
    time,
    lineage,
    depth: lineage.depth,
    tier,
    confidence: confidenceOf(candidate, desk, { time, downgrade }),
    downgrade,
    lift,
    tierCaps,
    quoting,
    distrustedBy,
    burst,
    restated,
    rewordingOf: candidate === given ? link : rewordingOf(candidate, desk, time),
  }
}

/** Other words are no evidence: rewording raises the confidence only for a person. */
function confidenceOf(
  { draft, main }: Candidate,
  desk: Desk,
  { time, downgrade }: { readonly time: Instant; readonly downgrade: Downgrade | null },
): RevisedConfidence {
  const before = draft.revises === null ? undefined : desk.memory(main.ref)
  const asked = Math.min(draft.confidence, downgrade?.confidenceMax ?? 1)
  if (!before) return { from: null, to: asked }
  const from = confidenceAt(before, desk.policy, time)
  const isPerson = labelName(draft.origin.label) === 'UserAsserted'
  return { from, to: isPerson ? asked : Math.min(from, asked) }
}

/** A cap on the tier, with the reason that the entry gives. */
interface Bound {
  readonly tier: Tier
  readonly by: string
  /** The cap comes from the draft's sources; a checked quote overrides such a cap. */
  readonly isOfSources?: true
}

/** The lowest of all caps; a supplied tier only ever lowers the tier. */
function tierOf(c: Pick<Case, 'candidate' | 'desk' | 'lineage' | 'quoting'>) {
  const { candidate, desk, lineage, quoting } = c
  const { draft } = candidate
  const { origin, caller, supplied } = draft
  const name = labelName(origin.label)
  const parents = isInferential(name, origin.sourceType) ? lineage.parents : []
  const revised = draft.revises && !isFirstHand(name) ? desk.memory(candidate.main.ref) : undefined
  const assessed = desk.assessmentOf(origin.sourceId)
  const bounds: readonly Bound[] = [
    ...(supplied.trustTier === null ? [] : [{ tier: supplied.trustTier, by: 'tier_supplied' }]),
    ...parents.map(({ tier }) => ({ tier, by: 'tier_of_parents', isOfSources: true }) as const),
    ...(revised ? [{ tier: revised.tier, by: 'tier_of_revised', isOfSources: true } as const] : []),
    ...(assessed
      ? [{ tier: tierForTrust(assessed.weight, desk.policy), by: 'tier_of_assessment' }]
      : []),
    ...(lineage.relaxed.length > 0 ? [{ tier: 0, by: 'tier_unenforced' } as const] : []),
  ]
  const atDoor = tierAtDoor(desk.policy.doors[caller.door], caller, name) ?? 0
  const own = lowest(atDoor, bounds)
  // A caller whose door gives tier 0 cannot raise the tier by a quote.
  const lifted = atDoor === 0 || quoting.lift === null ? own : lowest(quoting.lift, free(bounds))
  const { tier, caps: tierCaps } = lifted.tier > own.tier ? lifted : own
  return { tier, tierCaps, lift: tier > own.tier ? { from: own.tier, to: tier } : null }
}

const free = (bounds: readonly Bound[]): readonly Bound[] =>
  bounds.filter(({ isOfSources }) => isOfSources !== true)

function lowest(most: Tier, bounds: readonly Bound[]) {
  const caps = new Set<string>()
  let tier = most
  for (const bound of bounds) {
    if (bound.tier < tier) caps.add(bound.by)
    tier = lowerTier(tier, bound.tier)
  }
  return { tier, caps: [...caps] }
}

/** Declared echoes are not counted: marking a repeat is honest, however often an author repeats. */
function countBurst(
  candidate: Candidate,
  desk: Desk,
  { time, link }: { readonly time: Instant; readonly link: Likeness | null },
): Burst | null {
  const { main, draft } = candidate
  const { numbers } = desk.policy
  if (!kindPolicyOf(desk.policy, main.kind).asserts || draft.revises) return null
  if (isAdopted(candidate)) return null
  if (draft.origin.label.type === 'RecallReEntry') return null
  const actor = draft.origin.sourceId
  // Rewordings of a memory are counted together, on the words of the original.
  const original = link === null ? undefined : desk.memory(link.ref)
  const identity = original ? candidate.repeatMarkOf(original.identity) : candidate.repeatMark()
  if (identity === null) return null
  const before = desk.burst(actor, identity)
  const saying = original ? [original] : desk.saying(main.keys.identity)
  // Many stays in one city are many first-hand claims, and no repeats.
  const isAnotherClaim =
    isFirstHand(draft.origin.label) && saying.every((each) => namesAnotherWindow(main, each))
  if (isAnotherClaim && saying.length > 0) return null
  const counted = before?.times ?? firstTimes(candidate, saying)
  const past = counted.filter((each) => !isUncorrected(each, { desk, time }))
  // Repeats write no entry, so only this line keeps their times from running backwards.
  const at = laterOf(past.at(-1) ?? time, time)
  const times = [...past, at].slice(-(numbers.quarantineBurstThreshold + 1))
  return { actor, identity, times, quarantined: before?.quarantined ?? null }
}

/** Drops times from before a clock correction, which may lie far ahead of the corrected time. */
const isUncorrected = (
  at: Instant,
  { desk, time }: { readonly desk: Desk; readonly time: Instant },
): boolean =>
  desk.stack.corrections.length > 0 && toMs(at) - toMs(time) > desk.policy.numbers.burstWindowMs

/**
 * A memory's birth counts as the first saying; a burst row begins with the first repeat. Most words
 * are said once, and a row for each would be scattered over the whole table.
 */
const firstTimes = ({ draft }: Candidate, saying: readonly MemoryState[]): readonly Instant[] =>
  saying
    .filter((each) => countsItself(each) && each.sourceId === draft.origin.sourceId)
    .map(({ bornAt }) => bornAt)
    .sort()

/** A revised memory says other words than at birth, so its first words need a burst row. */
const countsItself = ({ label, captured, revision }: MemoryState): boolean =>
  label !== 'RecallReEntry' && !captured && revision === 1

/** The counter for a memory's words before a revision; null where nothing counts on the memory. */
export function countRevised({ candidate, desk, policy, time, burst }: Case): Burst | null {
  if (burst !== null) return null // the words stay, and their counter counts this write
  const before = candidate.draft.revises ? desk.memory(candidate.main.ref) : undefined
  if (!before || !countsItself(before) || !kindPolicyOf(policy, before.kind).asserts) return null
  const { sourceId: actor, bornAt } = before
  if (Math.abs(toMs(time) - toMs(bornAt)) > policy.numbers.burstWindowMs) return null
  const identity = candidate.repeatMarkOf(before.identity)
  return identity && { actor, identity, times: [bornAt], quarantined: null }
}

/** Tells a person's own restatement from another's agreement, by actor, door and document. */
export const hasSameAnchor = (memory: MemoryState, candidate: Candidate): boolean =>
  memory.sourceId === candidate.draft.origin.sourceId &&
  memory.door === candidate.draft.caller.door &&
  memory.document === candidate.draft.origin.document

/** Members at their usual value are left out; none names anybody. */
export function inputsFact({ candidate, desk }: Case): Facts {
  const { draft, main } = candidate
  const { person, grant, through } = draft.caller
  const isRestating = mayRestate(candidate) && desk.saying(main.keys.identity).length > 0
  return {
    inputs: {
      ...(person ? { person } : {}),
      ...(grant === null ? {} : { grant: { ...grant } }),
      ...(through === undefined ? {} : { through }),
      ...(draft.supplied.trustTier === null ? {} : { tier: draft.supplied.trustTier }),
      ...(isRestating ? { given: draft.given } : {}),
      ...(main.keys.line !== null && desk.setting.hasOracle === true ? { oracle: true } : {}),
    },
  }
}

/** True for a claim with other dates than the known claim; no dates are no other dates. */
export function namesAnotherWindow(
  { kind, body }: Candidate['main'],
  memory: MemoryState,
): boolean {
  const said = claimStateOf(kind, body)?.span
  const known = memory.claim?.span
  if (!said || !known || (said.from === null && said.until === null)) return false
  return said.from !== known.from || said.until !== known.until
}
