import type { Change } from '../domain/change.ts'
import { tierAtDoor } from '../domain/doors.ts'
import { MunimentError } from '../domain/errors.ts'
import type { Ref } from '../domain/ids.ts'
import { labelName } from '../domain/labels.ts'
import type { MemoryState } from '../domain/state.ts'
import type { Consequence, Outcome, WriteResult } from '../domain/write.ts'
import { mayChange } from '../fold/authority.ts'
import { moveOf } from '../fold/change-memory.ts'
import { isLive } from '../fold/fold-memory.ts'
import type { Admission, Case } from './case.ts'
import { authorOf, draftCallerOf } from './change-caller.ts'
import { begin, failed, sealNote, tell } from './change-entry.ts'
import { propose } from './proposal.ts'

/**
 * A draft that supersedes a memory, or answers a suggestion, needs the authority for the change.
 * Otherwise the gate writes only a proposal, for a person to decide.
 */
export function judgeConsequence(c: Case): Outcome | undefined {
  const { candidate, desk, time } = c
  const { consequence, origin, caller, revises } = candidate.draft
  if (consequence === null || desk.stack.state === 'MAINTENANCE') return undefined
  // A draft sent again under a known id has its memory and consequences already.
  if (revises === null && desk.memory(candidate.main.ref)) return undefined
  const memory = desk.memory(consequence.ref)
  const { ref } = consequence
  if (!memory) return failed(new MunimentError('not_found', `${ref} does not exist in this stack.`))
  const change: Change =
    consequence.type === 'promotes'
      ? { type: 'resolve', status: consequence.status, into: candidate.main.ref }
      : { type: 'deactivate' }
  const mayClaim = tierAtDoor(desk.policy.doors[caller.door], caller, labelName(origin.label))
  const move = moveOf(memory, change, { policy: desk.policy, time, mayRaise: false, anchors: [] })
  if (move.op === null) {
    const facts = { reason: move.reason }
    return failed(new MunimentError('invalid_input', whyNot(consequence, memory), { facts }))
  }
  const isAllowed = mayChange(draftCallerOf(candidate, desk), memory, change)
  if (mayClaim === undefined || isAllowed) return undefined
  const text = 'statement' in candidate.main.body ? String(candidate.main.body.statement) : null
  const note = sealNote({ fields: null, tags: null, text }, candidate.chance)
  // The proposal counts at the tier of the proposed belief.
  const proposed = { memory, facts: { change: 'supersede' }, note, by: origin.sourceId }
  return propose(proposed, desk, () => ({
    ...begin(authorOf(candidate), desk, candidate.chance),
    wordsTier: () => c.tier,
  }))
}

function whyNot({ type, ref }: Consequence, memory: MemoryState): string {
  if (type === 'promotes') return `${ref} is not pending.`
  if (memory.kind !== 'belief') return 'Only a belief is superseded.'
  if (memory.disposition === 'Superseded') return `${ref} was superseded already.`
  return `${ref} is not believed: it is ${memory.disposition}.`
}

/** Supersedes earlier claims of the same voice, as the fold would compute anyway. */
export function planSuccession(c: Case, { facts }: Admission, unit: number): void {
  const { candidate, desk } = c
  const succeeded = (facts.succeeds ?? []) as readonly Ref[] // written by the rule
  if (succeeded.length === 0) return
  const telling = { ...begin(authorOf(candidate), desk, candidate.chance), unit }
  const { ref: taker } = candidate.main
  for (const ref of succeeded) {
    tell(telling, { ref, op: 'claim.superseded', facts: { by: taker }, rule: null })
  }
}

/** Applies an admission to the other memory in the same commit; a quarantined draft has no effect. */
export function planConsequence(c: Case, { ref }: WriteResult, unit: number): void {
  const { candidate, desk } = c
  const { consequence } = candidate.draft
  if (consequence === null || ref === null || ref === consequence.ref) return
  const made = desk.memory(ref)
  if (!made || !isLive(made, desk.policy)) return
  const telling = { ...begin(authorOf(candidate), desk, candidate.chance), unit }
  if (consequence.type === 'promotes') {
    const facts = { status: consequence.status, into: ref }
    tell(telling, { ref: consequence.ref, op: 'suggestion.resolved', facts, rule: null })
    return
  }
  tell(telling, { ref, op: 'belief.revised', facts: { of: consequence.ref }, rule: null })
  tell(telling, { ref: consequence.ref, op: 'belief.deactivated', facts: { by: ref }, rule: null })
}
