import type { Change, UnchangedReason } from '../domain/change.ts'
import { type ClaimState, IN_CONTEST } from '../domain/claims.ts'
import { isBelieved } from '../domain/distrust.ts'
import type { Tier } from '../domain/doors.ts'
import type { ChangeOp, Facts } from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'
import type { MemoryState } from '../domain/state.ts'
import { HOUR_MS, type Instant, toMs } from '../domain/time.ts'
import { confidenceAt, recorded, risenTo, strengthAt, tierByVerdict } from './effective.ts'
import { isKeptOut, isLineClaim, isTakenBack, type LineClaim } from './line-claims.ts'

const nothing = (reason: UnchangedReason): Move => ({ op: null, reason })

type ClaimChange = Extract<
  Change,
  { type: 'end' | 'retract' | 'reopen' | 'adjudicate' | 'lapse' | 'recast' }
>

/** Changes to a claim as a whole; its words and dates stay as they were sealed. */
function moveOfClaim(state: MemoryState, change: ClaimChange, at: Moment): Move {
  if (!isLineClaim(state)) return nothing('wrong_kind')
  if (isKeptOut(state)) return nothing('set_aside')
  const { claim } = state
  switch (change.type) {
    case 'end':
      if (isTakenBack(state)) return nothing('set_aside')
      if (isOver(claim, change.at)) return nothing('already_so')
      return { op: 'claim.ended', facts: { at: change.at } }
    case 'retract':
      if (isTakenBack(state)) return nothing('already_so')
      return { op: 'claim.retracted', facts: {} }
    case 'reopen':
      if (!isTakenBack(state) && claim.endedAt === null && claim.overruledBy === null) {
        return nothing('already_so')
      }
      return { op: 'claim.reopened', facts: {} }
    case 'lapse':
      return lapse(state, at)
    case 'recast':
      // A person says which values can be true beside each other.
      if (!at.mayRaise) return nothing('unwitnessed')
      if (state.facets.subtype === change.cardinality) return nothing('already_so')
      return { op: 'claim.recast', facts: { to: change.cardinality } }
    case 'adjudicate': {
      if (isTakenBack(state)) return nothing('set_aside')
      const rivals = at.rivals ?? []
      if (rivals.length === 0) return nothing('not_contested')
      if (at.isWitnessed !== true) return nothing('unwitnessed')
      const { verdict, evidence } = change
      const overrules = verdict === 'affirm' ? rivals : []
      const isAffirmed = verdict === 'affirm' && at.mayRaise
      const risen = isAffirmed ? risenTo(state, tierByVerdict(at.policy)) : {}
      return { op: 'claim.adjudicated', facts: { verdict, evidence, overrules, ...risen } }
    }
  }
}

/** A claim without rivals is no longer contested; a question that waited too long is dropped. */
function lapse(state: LineClaim, { policy, time, rivals = [] }: Moment): Move {
  if (isTakenBack(state) || !IN_CONTEST.includes(state.disposition)) return nothing('already_so')
  if (rivals.length === 0) return { op: 'claim.lapsed', facts: { why: 'uncontested' } }
  const hours = (toMs(time) - toMs(state.bornAt)) / HOUR_MS
  const isQueued = state.disposition === 'QueuedForAdjudication'
  return isQueued && hours > policy.numbers.adjudicationTtlHours
    ? { op: 'claim.lapsed', facts: { why: 'expired' } }
    : nothing('already_so')
}

/** An end only moves to an earlier time; to hold longer, a claim is reopened first. */
const isOver = ({ span, endedAt }: ClaimState, at: string): boolean =>
  (endedAt !== null && endedAt <= at) || (span.until !== null && span.until <= at)

/** The outcome of a change: an entry with its facts, or nothing with the reason. */
export type Move =
  | { readonly op: ChangeOp; readonly facts: Facts; readonly reason?: UnchangedReason }
  | { readonly op: null; readonly reason: UnchangedReason }

export interface Moment {
  readonly policy: Policy
  readonly time: Instant
  /** True for a person, whose own word may raise confidence. */
  readonly mayRaise: boolean
  /** First-hand captures behind the evidence, independent of the memory and not counted before. */
  readonly anchors: readonly string[]
  /** Tier to which the captures lift the memory, where a first-hand caller says that they speak of the memory. */
  readonly tierTo?: Tier
  /** A caller without authority counts evidence once and leaves it for one who has authority. */
  readonly spends?: boolean
  /** For a verdict: the claims that would give way. */
  readonly rivals?: readonly Ref[]
  readonly isWitnessed?: boolean
}
const span = (from: number, to: number) => ({ from, to: recorded(to) })
/** Rounding to the last recorded digit must not take anything away. */
const raised = (from: number, to: number) => ({ from, to: Math.max(from, recorded(to)) })

/** The numbers of a change. Pure, so that the audit works them out again from the entry's facts. */
export function moveOf(state: MemoryState, change: Change, at: Moment): Move {
  const { policy, time } = at
  const { numbers } = policy
  const strength = strengthAt(state, policy, time)
  const isSetAside = !isBelieved(state.disposition, policy)
  switch (change.type) {
    case 'forget':
      if (isBound(state, at)) return nothing('protected')
      if (strength === 0 && state.strength.value === 0) return nothing('already_so')
      return { op: 'memory.forgotten', facts: { strength: span(strength, 0) } }
    case 'recover':
      if (strength !== 0) return nothing('not_forgotten')
      return {
        op: 'memory.recovered',
        facts: { strength: span(0, numbers.strengthRecovered) },
      }
    case 'protect':
      if (state.isProtected === change.on) return nothing('already_so')
      return {
        op: change.on ? 'memory.protected' : 'memory.unprotected',
        facts: { strength: span(strength, strength) },
      }
    case 'access': {
      if (isSetAside || state.strength.value === 0) return nothing('set_aside')
      const gain = numbers.accessGain / (1 + state.accesses / numbers.accessDamping)
      const to = Math.min(1, strength + gain)
      return {
        op: 'memory.accessed',
        facts: { accesses: state.accesses + 1, strength: raised(strength, to) },
      }
    }
    case 'weaken': {
      if (isBound(state, at)) return nothing('protected')
      if (strength === 0 || change.amount === 0) return nothing('already_so')
      const to = Math.max(0, strength - change.amount)
      return {
        op: 'memory.weakened',
        facts: { amount: change.amount, strength: span(strength, to) },
      }
    }
    case 'note_dormant':
      if (strength >= numbers.strengthDormantBelow) return nothing('already_so')
      if (state.strength.value === 0) return nothing('already_so')
      if (state.flags.some(({ code }) => code === 'dormant')) return nothing('already_so')
      return { op: 'memory.flagged', facts: { code: 'dormant', by: null } }
    case 'describe':
      return describe(state, change, at)
    case 'annotate':
      return { op: 'memory.annotated', facts: { by: change.by } }
    case 'process':
      if (state.kind !== 'raw') return nothing('wrong_kind')
      return { op: 'memory.processed', facts: { into: change.into } }
    case 'verify':
      return isSetAside ? nothing('set_aside') : verify(state, change.evidence, at)
    case 'reinforce':
      return isSetAside ? nothing('set_aside') : reinforce(state, change.evidence, at)
    case 'deactivate':
      if (state.kind !== 'belief') return nothing('wrong_kind')
      if (state.disposition === 'Superseded') return nothing('already_so')
      // A memory that a person or the gate put aside stays aside under another name.
      if (isSetAside) return nothing('set_aside')
      return { op: 'belief.deactivated', facts: { by: null } }
    case 'resolve':
      if (state.kind !== 'suggestion') return nothing('wrong_kind')
      if (state.facets.status !== 'pending') return nothing('not_pending')
      return { op: 'suggestion.resolved', facts: { status: change.status, into: change.into } }
    case 'end':
    case 'retract':
    case 'reopen':
    case 'adjudicate':
    case 'lapse':
    case 'recast':
      return moveOfClaim(state, change, at)
    case 'ask_review':
      if (state.flags.some(({ code }) => code === 'asked')) return nothing('already_so')
      return { op: 'memory.flagged', facts: { code: 'asked', by: null } }
    case 'note_contradiction': {
      const { against } = change
      if (isSetAside || against === state.ref) return nothing('set_aside')
      const flag = { code: 'contradicts', by: against } as const
      const isSaid = state.flags.some(({ code, by }) => code === flag.code && by === against)
      return isSaid ? nothing('already_so') : { op: 'memory.flagged', facts: flag }
    }
    case 'clear': {
      // Fading asks nothing of a person, and the next read would raise the flag again.
      const of = state.flags.filter(({ code }) => code !== 'dormant').map(({ seq }) => seq)
      return of.length === 0 ? nothing('already_so') : { op: 'memory.cleared', facts: { of } }
    }
    case 'overrule':
      if (state.rewordingOf === null) return nothing('already_so')
      return { op: 'echo.overruled', facts: { phrasingOf: state.rewordingOf } }
  }
}

/** A model's protection binds no person. */
const isBound = ({ isProtected, guard }: MemoryState, { mayRaise }: Moment): boolean =>
  isProtected && !(mayRaise && guard?.protectedBy === 'model')

/** Confidence may be lowered by anyone who may change the memory; raised only on a person's word. */
function describe(
  state: MemoryState,
  { confidence, tags }: Extract<Change, { type: 'describe' }>,
  { policy, time, mayRaise }: Moment,
): Move {
  const from = confidenceAt(state, policy, time)
  const facts: Facts = tags === null ? {} : { tags: tags.length }
  // Only a person's word makes the same number younger than it was.
  if (confidence === null || (confidence === from && !mayRaise)) {
    return tags === null ? nothing('already_so') : { op: 'memory.described', facts }
  }
  if (confidence > from && !mayRaise) {
    return { op: 'memory.attested', facts: { change: 'describe', confidence }, reason: 'attested' }
  }
  return { op: 'memory.described', facts: { ...facts, confidence: { from, to: confidence } } }
}

/** Only independent first-hand evidence moves numbers; other evidence is only recorded. */
function verify(state: MemoryState, evidence: readonly string[], at: Moment): Move {
  if (at.anchors.length === 0) {
    return { op: 'memory.attested', facts: { change: 'verify', evidence }, reason: 'attested' }
  }
  const from = confidenceAt(state, at.policy, at.time)
  const { verifyGain } = at.policy.numbers
  const facts = {
    evidence,
    anchors: at.anchors,
    verifications: state.verifications + 1,
    confidence: raised(from, isCounted(state, at) ? from : Math.min(1, from + verifyGain)),
    ...spending(state, at),
  }
  return { op: 'memory.verified', facts }
}

/** All of the evidence moved the numbers before, for a caller who could not spend it. */
const isCounted = ({ guard }: MemoryState, { anchors }: Moment): boolean =>
  anchors.every((ref) => guard?.unspent?.some((each) => each === ref))

/** Only a caller with authority lifts a tier, and only such a caller uses evidence up. */
const spending = (state: MemoryState, { spends = true, tierTo = 0 }: Moment): Facts =>
  spends ? risenTo(state, tierTo) : { spends: false }

/** Diminishing returns: each time closes a smaller share of the gap, and none lowers a number. */
function reinforce(state: MemoryState, evidence: readonly string[], at: Moment): Move {
  if (at.anchors.length === 0) {
    return { op: 'memory.attested', facts: { change: 'reinforce', evidence }, reason: 'attested' }
  }
  const { reinforceGain, reinforceDamping, reinforceCeiling } = at.policy.numbers
  const from = confidenceAt(state, at.policy, at.time)
  const times = state.reinforcements + 1
  const share = isCounted(state, at) ? 0 : reinforceGain
  const gain = ((reinforceCeiling - from) * share) / (1 + reinforceDamping * times)
  const facts = {
    evidence,
    anchors: at.anchors,
    times,
    confidence: raised(from, from + gain),
    ...(at.spends === false ? { spends: false } : {}),
  }
  return { op: 'memory.reinforced', facts }
}
