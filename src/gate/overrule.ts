import { moveOf } from '../belief/change-memory.ts'
import { tierAtDoor } from '../domain/doors.ts'
import { MaintenanceModeError, MunimentError, RefusedError, ScopeError } from '../domain/errors.ts'
import { isFirstHand, labelName } from '../domain/labels.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Policy } from '../domain/policy.ts'
import type { MemoryState } from '../domain/state.ts'
import { chanceOf } from '../hash/chance.ts'
import { type Case, openCase, type Verdict } from './case.ts'
import { begin, sealNote, tell } from './change-entry.ts'
import { decide } from './decide.ts'
import type { Desk } from './desk.ts'
import type { Overruling } from './needs.ts'
import { type Admission, planAdmission } from './plan.ts'
import { appendState, prepare } from './preamble.ts'
import { propose } from './proposal.ts'

type Trusting = (caller: Overruling['caller'], policy: Policy) => boolean

/**
 * What was recognised as our own words coming back is a guess, and a person or the host may say that
 * it was wrong. A link is undone; what was folded away is decided anew, as itself, by every rule but
 * the one that recognised it. A model may only wish for it.
 */
export function decideOverrule(act: Overruling, desk: Desk, isTrusted: Trusting): Outcome {
  const error = refusal(act, desk, isTrusted)
  if (error) return { type: 'error', error }
  const { ref, kept } = act
  const memory = desk.memory(ref)
  if (!memory || memory.erased !== null || !isStillKept(act, desk)) return gone(ref)
  const time = desk.timeOf(act.arrival.time)
  const folded = kept && { of: kept.seq, into: kept.candidate.main.ref }
  const change = { type: 'overrule', folded } as const
  const at = { policy: desk.policy, time, mayRaise: false, anchors: [] }
  const move = moveOf(memory, change, at)
  if (move.op === null) return SO_ALREADY
  const chance = chanceOf(desk.setting.sha256, act.arrival.bytes)
  const note = sealNote({ fields: null, tags: null, text: act.text }, chance)
  const beginning = () => begin(act, desk, { time, chance })
  if (!isFirstHand(act.label)) {
    const facts = { change: 'overrule', ...(kept === null ? {} : { of: kept.seq }) }
    return propose({ memory, facts, note, by: act.actor }, desk, beginning)
  }
  const admission = kept && judgeKept(kept.candidate, desk)
  if (admission && 'error' in admission) return { type: 'error', error: admission.error }
  if (admission) ready(admission.c, act)
  const told = { ref, op: move.op, facts: move.facts, rule: 'admit' } as const
  const { entry, hash } = tell(beginning(), told, note)
  const written = admission && letIn(admission, entry.seq)
  return {
    type: 'overruled',
    result: {
      entry: { seq: entry.seq, hash },
      ref: written?.ref ?? ref,
      disposition: written?.disposition ?? memory.disposition,
      written,
    },
  }
}

const SO_ALREADY: Outcome = {
  type: 'overruled',
  result: { entry: null, ref: null, disposition: null, written: null },
}

const gone = (ref: MemoryState['ref']): Outcome => ({
  type: 'error',
  error: new MunimentError('not_found', `${ref}, or what was folded into it, is not here.`),
})

function refusal(
  { label, caller }: Overruling,
  { policy, stack }: Desk,
  isTrusted: Trusting,
): MunimentError | null {
  if (stack.state === 'MAINTENANCE') return new MaintenanceModeError('overrule')
  const name = labelName(label)
  if (tierAtDoor(policy.doors[caller.door], caller, name) === undefined) {
    return new ScopeError(`${name} may not be claimed at the door ${caller.door}.`)
  }
  if (!isFirstHand(label) || isTrusted(caller, policy)) return null
  const hint = 'A person or the host process can.'
  return new ScopeError(`The door ${caller.door} may not say what was no echo.`, { hint })
}

/** Who handed it in may have been erased since it was read: then nothing of it comes back. */
function isStillKept({ kept }: Overruling, desk: Desk): boolean {
  if (kept === null) return true
  const { sourceId } = kept.candidate.draft.origin
  return desk.actorKey(sourceId) !== undefined && desk.pseudonym(sourceId) === kept.pseudonym
}

interface Judged {
  readonly c: Case
  readonly rule: ReturnType<typeof decide>['rule']
  readonly verdict: Admission
}

/** It was counted when it came; letting it in is not saying it again. */
function judgeKept(
  candidate: Case['candidate'],
  desk: Desk,
): Judged | { readonly error: MunimentError } {
  const c = { ...openCase(candidate, desk), burst: null }
  const { rule, verdict } = decide(c)
  switch (verdict.type) {
    case 'admit':
      return { c, rule, verdict }
    case 'error':
      return { error: verdict.error }
    case 'refuse': {
      const { message, hint, reasons } = verdict
      return { error: new RefusedError('refused', message, { hint, facts: { rule, reasons } }) }
    }
    case 'collapse':
    case 'propose':
    case 'present': {
      const { ref } = onto(verdict)
      const message = `${ref} says the same by now.`
      const facts = { rule, reasons: ['said_since'], ref }
      return { error: new RefusedError('refused', message, { facts }) }
    }
  }
}

function onto(verdict: Extract<Verdict, { type: 'collapse' | 'propose' | 'present' }>) {
  switch (verdict.type) {
    case 'collapse':
      return verdict.onto
    case 'propose':
      return verdict.of
    case 'present':
      return verdict.memory
  }
}

/** What must stand in the ledger before the word against it. */
function ready({ candidate, desk }: Case, { arrival }: Overruling): void {
  const time = desk.timeOf(arrival.time)
  prepare(desk, time, chanceOf(desk.setting.sha256, arrival.bytes))
  const isSeed = candidate.draft.origin.sourceType === 'seed'
  if (desk.stack.state === 'INITIALIZING' && !isSeed) appendState(desk, time, 'ACTIVE')
}

/** Of one unit with the word that lets it in: no head was ever in between. */
function letIn({ c, rule, verdict }: Judged, overruled: number) {
  const facts = { ...verdict.facts, overruled }
  return planAdmission(c, rule, { ...verdict, facts, unit: overruled })
}
