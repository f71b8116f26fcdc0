import { moveOf } from '../belief/change-memory.ts'
import { tierAtDoor } from '../domain/doors.ts'
import type { Facts } from '../domain/entry.ts'
import { MunimentError } from '../domain/errors.ts'
import { labelName } from '../domain/labels.ts'
import type { Outcome, WriteResult } from '../domain/outcome.ts'
import type { Case } from './case.ts'
import { begin, isOverreach, isProposed, sealNote, tell, unchanged } from './change.ts'

/**
 * A draft that takes another memory's place, or answers a suggestion, must be allowed to: otherwise
 * nothing is written but the wish, for a person to decide.
 */
export function judgeConsequence(c: Case): Outcome | undefined {
  const { candidate, desk, time } = c
  const { consequence, origin } = candidate.draft
  if (consequence === null || desk.stack.state === 'MAINTENANCE') return undefined
  const memory = desk.memory(consequence.ref)
  if (!memory) return failed('not_found', `${consequence.ref} does not exist in this stack.`)
  if (consequence.type === 'promotes') {
    const change = {
      type: 'resolve',
      status: consequence.status,
      into: candidate.main.ref,
    } as const
    const move = moveOf(memory, change, { policy: desk.policy, time, mayRaise: false, anchors: [] })
    return move.op === null
      ? failed('invalid_input', `${consequence.ref} is not pending.`, { reason: move.reason })
      : undefined
  }
  if (memory.kind !== 'belief') return failed('invalid_input', 'Only a belief is superseded.')
  if (memory.disposition === 'Superseded') {
    return failed('invalid_input', `${consequence.ref} was superseded already.`)
  }
  const { caller } = candidate.draft
  const mayClaim = tierAtDoor(desk.policy.doors[caller.door], caller, labelName(origin.label))
  const wish = { label: origin.label, change: { type: 'deactivate' } } as const
  if (mayClaim === undefined || !isOverreach(wish, memory)) return undefined
  if (isProposed(memory)) return unchanged('proposed')
  const by = { actor: origin.sourceId, caller, label: origin.label }
  const telling = begin(by, desk, { time, chance: candidate.chance })
  const text = 'statement' in candidate.main.body ? String(candidate.main.body.statement) : null
  const { entry, hash } = tell(
    telling,
    {
      ref: consequence.ref,
      op: 'memory.proposed',
      facts: { change: 'supersede' },
      rule: 'authority',
    },
    sealNote({ fields: null, tags: null, text }, candidate.chance),
  )
  const result = {
    changed: false,
    reason: 'proposed',
    entry: { seq: entry.seq, hash },
    flagged: [],
  } as const
  return { type: 'changed', result }
}

const failed = (
  code: 'not_found' | 'invalid_input',
  message: string,
  facts: Facts = {},
): Outcome => ({ type: 'error', error: new MunimentError(code, message, { facts }) })

/** What an admission does to the other memory, in the same commit. */
export function planConsequence(c: Case, { ref }: WriteResult, unit: number): void {
  const { candidate, desk, time } = c
  const { consequence, origin, caller } = candidate.draft
  if (consequence === null || ref === null || ref === consequence.ref) return
  const by = { actor: origin.sourceId, caller, label: origin.label }
  const telling = { ...begin(by, desk, { time, chance: candidate.chance }), unit }
  if (consequence.type === 'promotes') {
    const facts = { status: consequence.status, into: ref }
    tell(telling, { ref: consequence.ref, op: 'suggestion.resolved', facts, rule: null })
    return
  }
  tell(telling, { ref, op: 'belief.revised', facts: { of: consequence.ref }, rule: null })
  tell(telling, { ref: consequence.ref, op: 'belief.deactivated', facts: { by: ref }, rule: null })
}
