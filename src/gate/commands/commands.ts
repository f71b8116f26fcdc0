import type { Facts, StoredEntry } from '../../domain/entry.ts'
import { MaintenanceModeError, MunimentError, ScopeError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Disposition, LifecycleState } from '../../domain/vocabulary.ts'
import { type Outcome, pointerTo } from '../../domain/write.ts'
import { admitted } from '../../fold/fold-change.ts'
import { chanceOf } from '../../ledger/chance.ts'
import { isTrusted } from '../change-caller.ts'
import { failed } from '../change-entry.ts'
import type { Desk } from '../desk.ts'
import type { Proposal } from '../needs.ts'
import { actorOf } from '../plan.ts'
import { appendPolicy, appendState, emitTallies, prepare } from '../preamble.ts'
import { clockFault } from './clock.ts'
import { releasedAs } from './release.ts'

type Act = Exclude<Proposal, { type: 'write' | 'change' | 'erase' | 'distrust' | 'receive' }>

/** Acts on the stack itself, or a person's verdict: never a model's to take. */
export function decideCommand(act: Act, desk: Desk): Outcome {
  if (!isTrusted(act.caller, desk.policy)) {
    const hint = 'A person or the host process can.'
    const message = `The door ${act.caller.door} may not do this: ${act.type}.`
    return failed(new ScopeError(message, { hint }))
  }
  switch (act.type) {
    case 'state':
      return changeState(act, desk)
    case 'policy':
      return changePolicy(act, desk)
    case 'reject':
      return reject(act, desk)
    case 'release':
      return release(act, desk)
    case 'readmit':
      return readmit(act, desk)
    case 'keepOut':
      return keepOut(act, desk)
    case 'tidy':
      return tidy(act, desk)
    case 'clock':
      return correctClock(act, desk)
  }
}

/** Readies the ledger and names the actor. */
function begin(act: Act, desk: Desk) {
  const chance = chanceOf(desk.setting.sha256, act.arrival.bytes)
  const time = desk.timeOf(act.arrival.time)
  prepare(desk, time, chance)
  const by = { actor: actorOf(desk, act.actor, chance.actorKey), door: act.caller.door }
  return { time, by }
}

/** INITIALIZING ends once and for all; the other two alternate. */
const NEXT: Readonly<Record<LifecycleState, readonly LifecycleState[]>> = {
  INITIALIZING: ['ACTIVE'],
  ACTIVE: ['MAINTENANCE'],
  MAINTENANCE: ['ACTIVE'],
}

function changeState(act: Extract<Act, { type: 'state' }>, desk: Desk): Outcome {
  const from = desk.stack.state
  const isElsewhere = act.from !== null && act.from !== from
  if (act.to === from || isElsewhere) return { type: 'state', result: { state: from, entry: null } }
  if (!NEXT[from].includes(act.to)) {
    const message = `A stack cannot go from ${from} to ${act.to}.`
    const hint = `From ${from} it goes to: ${NEXT[from].join(', ')}.`
    return failed(new MunimentError('invalid_input', message, { hint }))
  }
  const { time, by } = begin(act, desk)
  const entry = pointerTo(appendState(desk, time, act.to, by))
  return { type: 'state', result: { state: act.to, entry } }
}

function changePolicy(act: Extract<Act, { type: 'policy' }>, desk: Desk): Outcome {
  const { policy, policyHash } = act
  if (policyHash === desk.policyHash && desk.stack.policyHash !== null) {
    return { type: 'policy', result: { policyHash, entry: null } }
  }
  const { time, by } = begin(act, desk)
  const entry = pointerTo(appendPolicy(desk, time, { policy, hash: policyHash }, by))
  return { type: 'policy', result: { policyHash, entry } }
}

/** A stack without entries, or without ended tallies, stays unchanged. */
function tidy(act: Extract<Act, { type: 'tidy' }>, desk: Desk): Outcome {
  const time = desk.timeOf(act.arrival.time)
  if (desk.stack.uid !== null && desk.endedTallies(time).length > 0) {
    prepare(desk, time, chanceOf(desk.setting.sha256, act.arrival.bytes))
  }
  return { type: 'tidied' }
}

/**
 * Times follow the reading from this entry on, back or far ahead. Open tallies get their entries
 * before the correction, so that no window spans the step.
 */
function correctClock(act: Extract<Act, { type: 'clock' }>, desk: Desk): Outcome {
  const reading = act.arrival.time
  const { time: last } = desk
  if (last === null || (reading >= last && clockFault(reading, last) === null)) {
    return { type: 'corrected', result: { reading, last, entry: null } }
  }
  const { by, time } = begin(act, desk)
  emitTallies(desk, time, desk.openTallies())
  const decision = { facts: { from: last } }
  const stored = desk.append({ op: 'clock.corrected', time: reading, decision, ...by })
  return { type: 'corrected', result: { reading, last, entry: pointerTo(stored) } }
}

/** The memory that a verdict is about, or the reason against a verdict. */
function quarantined({ ref }: { readonly ref: Ref }, desk: Desk): MemoryState | MunimentError {
  if (desk.stack.state === 'MAINTENANCE') return new MaintenanceModeError('a verdict')
  const memory = desk.memory(ref)
  if (memory?.disposition === 'Quarantined') return memory
  return new MunimentError(memory ? 'invalid_input' : 'not_found', `${ref} is not in quarantine.`)
}

function reject(act: Extract<Act, { type: 'reject' }>, desk: Desk): Outcome {
  const memory = quarantined(act, desk)
  if (memory instanceof MunimentError) return failed(memory)
  const { time, by } = begin(act, desk)
  const decision = {
    disposition: 'Rejected',
    reasons: ['person_said_no'],
    facts: { tombstone: act.mark },
  } as const
  const stored = desk.append({ op: 'quarantine.rejected', time, decision, ...by, ref: act.ref })
  // Words with a tombstone already stay out by the first rejection.
  if (!desk.isTombstoned(act.mark)) desk.putTombstone({ mark: act.mark, seq: stored.entry.seq })
  return { type: 'rejected', entry: pointerTo(stored) }
}

/** Decides anew on a quarantined memory and its captures; the burst counter begins again. */
function release(act: Extract<Act, { type: 'release' }>, desk: Desk): Outcome {
  const memory = quarantined(act, desk)
  if (memory instanceof MunimentError) return failed(memory)
  if (memory.captured) {
    const message = `${act.ref} goes with what it was captured for.`
    return failed(new MunimentError('invalid_input', message))
  }
  const { rule, disposition, facts } = releasedAs(memory, desk)
  const captures = desk.gathered.filter(
    ({ captured, unit, disposition: word }) =>
      captured && unit === memory.unit && word === 'Quarantined',
  )
  const { time, by } = begin(act, desk)
  const unit = desk.nextSeq
  const reasons = ['person_said_yes']
  const tell = (ref: Ref, word: Disposition, more: Facts): StoredEntry => {
    const decision = { rule, disposition: word, reasons, facts: more }
    return desk.append({ op: 'quarantine.released', time, decision, ...by, ref, unit })
  }
  for (const { ref, label } of captures) {
    const isDoubted = disposition === 'Distrusted'
    tell(ref, isDoubted ? disposition : admitted(label), isDoubted ? facts : {})
  }
  const stored = tell(act.ref, disposition, facts)
  if (act.burst) desk.putBurst({ ...act.burst, times: [], quarantined: null })
  return { type: 'released', entry: pointerTo(stored), disposition }
}

/** Tombstones for erasures made before an older copy was restored; known tombstones are skipped. */
function keepOut(act: Extract<Act, { type: 'keepOut' }>, desk: Desk): Outcome {
  const tombstones = [...new Set(act.marks)].filter((mark) => !desk.isTombstoned(mark))
  if (tombstones.length === 0) return { type: 'keptOut', entry: null }
  const { time, by } = begin(act, desk)
  const facts = { basis: act.basis, tombstones }
  const stored = desk.append({ op: 'tombstone.kept', time, decision: { facts }, ...by })
  for (const mark of tombstones) desk.putTombstone({ mark, seq: stored.entry.seq })
  return { type: 'keptOut', entry: pointerTo(stored) }
}

/** Lifts the tombstones of words that a person lets back in; other marks are skipped. */
function readmit(act: Extract<Act, { type: 'readmit' }>, desk: Desk): Outcome {
  const tombstones = [...new Set(act.marks)].filter((mark) => desk.isTombstoned(mark))
  if (tombstones.length === 0) return { type: 'readmitted', entry: null }
  const { time, by } = begin(act, desk)
  const decision = { facts: { tombstones } }
  const stored = desk.append({ op: 'tombstone.lifted', time, decision, ...by })
  for (const mark of tombstones) desk.liftTombstone(mark)
  return { type: 'readmitted', entry: pointerTo(stored) }
}
