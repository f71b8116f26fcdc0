import type { Change, UnchangedReason } from '../domain/change.ts'
import { type ClaimState, IN_CONTEST } from '../domain/claims.ts'
import type { MemoryState } from '../domain/state.ts'
import { HOUR_MS, toMs } from '../domain/time.ts'
import type { Moment, Move } from './change-memory.ts'
import { isKeptOut, isLineClaim, isTakenBack, type LineClaim } from './line-claims.ts'
import { risenTo, tierByVerdict } from './risen-tier.ts'

const nothing = (reason: UnchangedReason): Move => ({ op: null, reason })

type ClaimChange = Extract<
  Change,
  { type: 'end' | 'retract' | 'reopen' | 'adjudicate' | 'lapse' | 'recast' }
>

/** What somebody may say of a claim as a whole; its words and dates stay as they were sealed. */
export function moveOfClaim(state: MemoryState, change: ClaimChange, at: Moment): Move {
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
      // Which values can be true beside each other is for a person to say.
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

/** Where nothing contests it any more it is not contested; asked for too long, nobody is asked. */
function lapse(state: LineClaim, { policy, time, rivals = [] }: Moment): Move {
  if (isTakenBack(state) || !IN_CONTEST.includes(state.disposition)) return nothing('already_so')
  if (rivals.length === 0) return { op: 'claim.lapsed', facts: { why: 'uncontested' } }
  const hours = (toMs(time) - toMs(state.bornAt)) / HOUR_MS
  const isQueued = state.disposition === 'QueuedForAdjudication'
  return isQueued && hours > policy.numbers.adjudicationTtlHours
    ? { op: 'claim.lapsed', facts: { why: 'expired' } }
    : nothing('already_so')
}

/** An end is only ever brought forward; a claim that shall hold longer is reopened first. */
const isOver = ({ span, endedAt }: ClaimState, at: string): boolean =>
  (endedAt !== null && endedAt <= at) || (span.until !== null && span.until <= at)
