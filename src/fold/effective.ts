import { isTier, lowerTier, TIERS, type Tier } from '../domain/doors.ts'
import {
  type Entry,
  type Fact,
  type Facts,
  type GuardMark,
  guardWith,
  type QuoteLift,
  type TierLift,
  tierAtBirth,
} from '../domain/entry.ts'
import { assert } from '../domain/errors.ts'
import { type RecordKind, type Ref, splitRef } from '../domain/ids.ts'
import { labelName } from '../domain/labels.ts'
import { kindPolicyOf, type Policy, type PolicyNumbers } from '../domain/policy.ts'
import type { Quote } from '../domain/provenance.ts'
import type { FlagCode, MemoryState } from '../domain/state.ts'
import { DAY_MS, type Instant, toMs } from '../domain/time.ts'

/** Whole days from one moment to another, so that nothing fades between two glances. */
export const daysBetween = (from: Instant, to: Instant): number =>
  Math.max(0, Math.floor((toMs(to) - toMs(from)) / DAY_MS))

/** Recorded numbers end at the ninth digit, where no two machines' logarithms differ. */
export const recorded = (value: number): number => Math.round(value * 1e9) / 1e9

const clamped = (value: number): number => Math.min(1, Math.max(0, value))

/** The fields on which decay depends. */
type Fading = Pick<MemoryState, 'kind' | 'strength' | 'confidence' | 'isProtected' | 'accesses'> & {
  readonly facets: Pick<MemoryState['facets'], 'subtype'>
}

function periodDays({ kind, facets }: Fading, numbers: PolicyNumbers): number {
  if (kind !== 'goal') return numbers.strengthPeriodDays
  if (facets.subtype === 'aspiration') return numbers.strengthPeriodDaysAspiration
  if (facets.subtype === 'commitment') return numbers.strengthPeriodDaysCommitment
  return numbers.strengthPeriodDays
}

/**
 * Strength at a moment: the value of the last strength entry, less decay since, slowed a little by
 * frequent access. Strength never exceeds the recorded value.
 */
export function strengthAt(state: Fading, policy: Policy, now: Instant): number {
  const { value, at } = state.strength
  // An epoch groups memories by time, so the marker of an epoch never fades.
  if (state.isProtected || value === 0 || state.kind === 'epoch') return value
  const { numbers } = policy
  const days = daysBetween(at, now)
  const lost = (numbers.strengthLostPerPeriod * days) / periodDays(state, numbers)
  const lift = numbers.strengthLiftPerLogAccess * Math.log(state.accesses + 1)
  return clamped(Math.min(value, recorded(value - lost + lift)))
}

/** Confidence at a moment: decays towards the floor of the kind, and never rises to the floor. */
export function confidenceAt(state: Fading, policy: Policy, now: Instant): number {
  const { value, at } = state.confidence
  const decay = kindPolicyOf(policy, state.kind).decay
  if (decay === null || value <= decay.floor) return value
  const lost = (decay.rate * daysBetween(at, now)) / decay.periodDays
  return Math.max(decay.floor, Math.min(value, recorded(value - lost)))
}

/** Salience: confidence, use and age in one number. */
export function salienceAt(state: MemoryState, policy: Policy, now: Instant): number {
  const { numbers } = policy
  const days = daysBetween(state.accessedAt ?? state.bornAt, now)
  const use = Math.log(state.accesses + 1) + numbers.salienceFloor
  return recorded(
    (confidenceAt(state, policy, now) * use) / (days / periodDays(state, numbers) + 1),
  )
}

/** The tier that counts now: 0 for a distrusted memory, whatever its source. */
export const tierNow = ({ disposition, tier }: Pick<MemoryState, 'disposition' | 'tier'>): Tier =>
  disposition === 'Distrusted' ? 0 : tier

export type StrengthTier = 'strong' | 'fading' | 'weak' | 'dormant' | 'forgotten'

/** The seed's table, by the policy's numbers. */
export function strengthTier(value: number, { numbers }: Policy): StrengthTier {
  if (value <= 0) return 'forgotten'
  if (value < numbers.strengthDormantBelow) return 'dormant'
  if (value < numbers.strengthWeakBelow) return 'weak'
  return value < numbers.strengthFadingBelow ? 'fading' : 'strong'
}

/** The lift recorded by a birth or a revision; null where there is none. */
export function liftIn({ lift }: Facts): TierLift | null {
  const { from, to } = { ...(lift as Partial<TierLift> | undefined) } // anything in a forged entry
  return isTier(from) && isTier(to) ? { from, to } : null
}

/** Members of a guard after a birth or a revision: the lift recorded by the entry, or none. */
function quotedGuard({ decision: { facts } }: Entry) {
  const lift = liftIn(facts)
  const { of } = { ...(facts.quote as Partial<Quote> | undefined) } // anything in a forged entry
  return lift === null || of === undefined
    ? { tierAtBirth: undefined, quoted: undefined }
    : { tierAtBirth: lift.from, quoted: { of, to: lift.to, lostBy: [] } }
}

/** A quoted memory that is gone lifts nothing; one that faded is still there. */
const GONE: ReadonlySet<FlagCode> = new Set([
  'source_forgotten',
  'source_erased',
  'source_distrusted',
])

/** The lift goes when the quoted memory is forgotten, erased or distrusted. */
export function liftLost(
  state: MemoryState,
  { code, by, seq }: { readonly code: FlagCode; readonly by: Ref | null; readonly seq: number },
): MemoryState {
  const quoted = state.guard?.quoted
  if (!quoted || quoted.of !== by || !GONE.has(code)) return state
  return withLift(state, { ...quoted, lostBy: [...quoted.lostBy, seq] })
}

/** The lift comes back with the quoted memory. Looking at a flag in review brings nothing back. */
export function liftRegained(state: MemoryState, { decision }: Entry): MemoryState {
  const quoted = state.guard?.quoted
  if (!quoted || decision.rule !== null) return state
  const cleared = decision.facts.of as readonly number[] // the gate's, or checked
  return withLift(state, {
    ...quoted,
    lostBy: quoted.lostBy.filter((seq) => !cleared.includes(seq)),
  })
}

function withLift(state: MemoryState, quoted: QuoteLift): MemoryState {
  const tier = quoted.lostBy.length === 0 ? quoted.to : tierAtBirth(state)
  return { ...state, tier, guard: guardWith(state.guard, { quoted }) }
}

/** The most that a capture of a tool counts for while no person vouches for tool and path. */
const UNVOUCHED: Tier = 1

/** Kinds that hooks write: captures, and checkpoints that list captures. */
const OF_HOOKS: ReadonlySet<RecordKind> = new Set(['raw', 'note'])

/** True for an entry of a hook with words of a tool that no person vouches for. */
const isUnvouched = ({ ref, door, label, decision }: Entry): boolean =>
  door === 'hook' &&
  ref !== null &&
  label !== null &&
  labelName(label) === 'ExternalFirstHand' &&
  OF_HOOKS.has(splitRef(ref).kind) &&
  decision.facts.vouched !== true

/**
 * The tier that the words of a birth or a revision count for: the lower of the recorded tier and the
 * tier of today's rules. Earlier versions recorded every capture of a tool at tier 2.
 */
export function countedTier(entry: Entry): Tier {
  assert(entry.tier !== null, 'words are recorded with a tier')
  return isUnvouched(entry) && entry.tier > UNVOUCHED ? UNVOUCHED : entry.tier
}

/**
 * The guard of a birth or a revision, with what a quote lifted. Where words count for less than recorded,
 * the recorded tier decides who may change them.
 */
export function countedGuard(guard: GuardMark | null, entry: Entry): GuardMark | null {
  const { tier } = entry
  const isLess = tier !== null && countedTier(entry) < tier
  return guardWith(guard, { ...quotedGuard(entry), ...(isLess ? { tierAtBirth: tier } : {}) })
}

type Counted = Pick<MemoryState, 'tier' | 'guard'>

export const countsForLess = (state: Counted): boolean => state.tier < tierAtBirth(state)

/** A memory with the tier by which an earlier version judged: entries of that time went by it. */
export const asRecorded = <State extends Counted>(state: State): State =>
  countsForLess(state) ? { ...state, tier: tierAtBirth(state) } : state

type Witness = Pick<MemoryState, 'sourceId' | 'door' | 'tier'>

/**
 * Tier to which two first-hand captures lift a memory: the lower of their tiers, where they come from
 * different actors through different doors. One actor at two doors, or two at one, may be one voice.
 */
export function tierByAnchors(anchors: readonly Witness[], { numbers }: Partial<Policy>): Tier {
  // A policy without this number is older than the rule that tiers can rise.
  const tierByAnchorsMax = numbers?.tierByAnchorsMax
  if (tierByAnchorsMax === undefined) return 0
  let most: Tier = 0
  for (const one of anchors) {
    for (const other of anchors) {
      if (one.sourceId === other.sourceId || one.door === other.door) continue
      const both = lowerTier(one.tier, other.tier)
      if (both > most && both <= tierByAnchorsMax) most = both
    }
  }
  return most
}

/** Tier to which a person's verdict lifts a claim. */
export const tierByVerdict = ({ numbers }: Partial<Policy>): Tier =>
  TIERS.find((tier) => tier === numbers?.tierOfVerdict) ?? 0

/** The fact of a tier that rises; nothing where it is as high already. */
export const risenTo = ({ tier: from }: Pick<MemoryState, 'tier'>, to: Tier): Facts =>
  to > from ? { tier: { from, to } } : {}

export function tierAfter({ tier }: Pick<MemoryState, 'tier'>, { tier: told }: Facts): Tier {
  const to = isRise(told) ? TIERS.find((each) => each === told.to) : undefined
  return to ?? tier
}

/** A memory with the tier that an entry leaves it with; who may change it goes by the tier before. */
export function risenBy<State extends Pick<MemoryState, 'tier' | 'guard'>>(
  state: State,
  facts: Facts,
): State {
  const tier = tierAfter(state, facts)
  if (tier === state.tier) return state
  const members = { tierAtBirth: tierAtBirth(state), quoted: undefined } // the quote lifts no more
  return { ...state, tier, guard: guardWith(state.guard, members) }
}

const isRise = (fact: Fact | undefined): fact is { readonly to: Fact } =>
  typeof fact === 'object' && fact !== null && 'to' in fact
