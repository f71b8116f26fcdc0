import { type Change, type ChangeType, isAnnotator } from '../../domain/change.ts'
import type { Facts } from '../../domain/entry.ts'
import { MaintenanceModeError, MunimentError, ScopeError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import { isFirstHand, labelName } from '../../domain/labels.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import { type ChangeCommand, type Outcome, pointerTo } from '../../domain/write.ts'
import {
  type ChangeCaller,
  type ChangeFacts,
  hasAuthority,
  mayChange,
} from '../../fold/authority.ts'
import { type Moment, moveOf } from '../../fold/change-memory.ts'
import { strengthAt, tierByAnchors } from '../../fold/effective.ts'
import { type Chance, chanceOf } from '../../ledger/chance.ts'
import { childrenFact, consequencesOf } from '../cascade.ts'
import { changeCallerOf, whyNotClaimed } from '../change-caller.ts'
import { begin, failed, sealNote, tell, unchanged } from '../change-entry.ts'
import type { Desk } from '../desk.ts'
import { distrustsOf, independentAnchors, isWitnessed } from '../evidence.ts'
import { prepare } from '../preamble.ts'
import { closeProposals, propose } from '../proposal.ts'
import { stillHolds, tellingKey } from '../repeats.ts'
import { rivalsAt } from '../rivals.ts'
import type { NoteContent } from '../words.ts'

/** Changes pass the gate too: its first three rules, and `authority` (18.1). */
export function decideChange(act: ChangeCommand, desk: Desk): Outcome {
  const memory = desk.memory(act.ref)
  const caller = changeCallerOf(act, desk)
  const error = refusal(act, desk) ?? answerRefusal(act.change, caller, memory)
  if (error) return failed(error)
  const change = amongKnown(act.change, desk)
  if (!memory || change === null) return unchanged('not_found')
  if (memory.erased !== null) return unchanged('erased')
  const chance = chanceOf(desk.setting.sha256, act.arrival.bytes)
  const time = desk.timeOf(act.arrival.time)
  const move = moveOf(memory, change, momentOf({ ...act, change }, memory, { desk, caller }))
  if (!mayChange(caller, memory, change, changeFactsOf(change, memory, { desk, time }))) {
    if (move.op === null && IDLE.has(change.type)) return unchanged(move.reason)
    const facts = { change: change.type, ...inputsOf(change) }
    const proposed = { memory, facts, note: noteOf(act, chance), by: act.actor }
    return propose(proposed, desk, () => begin(act, desk, chance))
  }
  if (move.op === null) return unchanged(move.reason)
  const { op } = move
  const key = tellingKey(desk.setting.sha256, op, { ...act, change })
  const told = key === null ? undefined : desk.tally(key)
  if (key !== null && told && stillHolds(told, memory, change)) {
    if (op !== 'memory.attested') return unchanged('already_so')
    // An actor's repeated attestation is counted, so that repeating does not grow the ledger.
    prepare(desk, time, chance) // may close the tally, so the tally is read again
    return unchanged('attested', desk.countRepeat(desk.tally(key) ?? told, time))
  }
  const telling = begin(act, desk, chance)
  const more = childrenFact(memory, { op, facts: move.facts, time }, desk)
  const facts = { ...move.facts, ...more }
  const stored = tell(telling, { ref: act.ref, op, facts, rule: 'admit' }, noteOf(act, chance))
  if (op === 'memory.cleared') closeProposals(act.ref, facts.of as readonly number[], desk)
  if (key !== null) desk.openTally(stored, { key, rule: 'admit', about: act.ref })
  const consequences = consequencesOf(memory, { op, facts, time }, desk)
  for (const each of consequences) tell(telling, { ...each, rule: null })
  const reason = move.reason ?? null
  const flagged = consequences.flatMap((each) => (each.op === 'memory.flagged' ? [each.ref] : []))
  const result = { changed: reason === null, reason, entry: pointerTo(stored), flagged }
  return { type: 'changed', result }
}

/** Drops refs to missing or erased memories; null where the change makes no sense without them. */
function amongKnown(change: Change, desk: Desk): Change | null {
  const known = (refs: readonly Ref[]) => refs.filter((ref) => desk.memory(ref)?.erased === null)
  switch (change.type) {
    case 'verify':
    case 'reinforce':
      return { ...change, evidence: known(change.evidence) }
    case 'process':
      return { ...change, into: known(change.into) }
    case 'resolve':
      return change.into === null || desk.memory(change.into)?.erased === null ? change : null
    case 'note_contradiction':
      return known([change.against]).length === 1 ? change : null
    case 'adjudicate':
      return known(change.evidence).length === change.evidence.length ? change : null
    default:
      return change
  }
}

/** Rules one to three: no change in maintenance, and no label that the door does not allow. */
function refusal(
  { actor, caller, label, change }: ChangeCommand,
  desk: Desk,
): MunimentError | null {
  if (desk.stack.state === 'MAINTENANCE') return new MaintenanceModeError(change.type)
  if (change.type === 'annotate' && !isAnnotator(change.by)) {
    return new MunimentError('invalid_input', 'That is no name of a component.')
  }
  const unclaimed = whyNotClaimed({ label, caller }, desk.policy)
  if (unclaimed !== null) return unclaimed
  const { door, session } = caller
  if (RAISES.has(change.type) && distrustsOf(desk, { actor, door, session }).length > 0) {
    return new ScopeError('Where this comes from is not believed, and lifts nothing.', {
      hint: 'A person or the host process can trust it again.',
    })
  }
  if (!ANSWERS.has(change.type) || isFirstHand(label)) return null
  return new ScopeError('What waits for a person is not taken down by a model.')
}

/** A person, the host, or a caller with authority over the memory answers a review item. */
function answerRefusal(
  { type }: Change,
  caller: ChangeCaller,
  memory: MemoryState | undefined,
): MunimentError | null {
  if (!ANSWERS.has(type) || !memory || caller.actsForOthers) return null
  if (hasAuthority(caller, memory)) return null
  return new ScopeError('This item of the review queue waits for a person.', {
    hint: 'A person or the host process can answer it.',
  })
}

/** Changes that raise a memory's weight or bring the memory back. */
const RAISES: ReadonlySet<ChangeType> = new Set([
  'verify',
  'reinforce',
  'adjudicate',
  'reopen',
  'recover',
])

/** Changes that answer an item of the review queue. */
const ANSWERS: ReadonlySet<ChangeType> = new Set(['clear'])

/** Changes that are not proposed where they would change nothing, such as removing no link. */
const IDLE: ReadonlySet<ChangeType> = new Set(['recover', 'process', 'recast', 'overrule'])

/** Tags that readers would see with a memory from then on. */
export const tagsOf = (change: Change): readonly string[] | null =>
  change.type === 'describe' ? change.tags : null

function changeFactsOf(
  change: Change,
  memory: MemoryState,
  { desk, time }: { readonly desk: Desk; readonly time: Instant },
): ChangeFacts {
  const { policy } = desk
  const isAffirmed = change.type === 'adjudicate' && change.verdict === 'affirm'
  const rivals = isAffirmed ? rivalsAt(memory, desk) : []
  return {
    overruled: rivals.flatMap(({ ref }) => desk.memory(ref) ?? []),
    isDormant: strengthAt(memory, policy, time) < policy.numbers.strengthDormantBelow,
  }
}

/** The numbers and refs of a proposed change; words and tags are sealed instead. */
function inputsOf(change: Change): Facts {
  switch (change.type) {
    case 'weaken':
      return { amount: change.amount }
    case 'describe':
      return change.confidence === null ? {} : { confidence: change.confidence }
    case 'process':
      return { into: change.into }
    case 'end':
      return { at: change.at }
    case 'adjudicate':
      return { verdict: change.verdict, evidence: change.evidence }
    case 'verify':
    case 'reinforce':
      return { evidence: change.evidence }
    case 'protect':
      return change.on ? { on: true } : {}
    case 'recast':
      return { to: change.cardinality }
    default:
      return {}
  }
}

function momentOf(
  act: ChangeCommand,
  memory: MemoryState,
  { desk, caller }: { readonly desk: Desk; readonly caller: ChangeCaller },
): Moment {
  const { change, label, actor, arrival } = act
  const spends = hasAuthority(caller, memory)
  const isPerson = labelName(label) === 'UserAsserted'
  const anchors =
    change.type === 'verify' || change.type === 'reinforce'
      ? independentAnchors(memory, change.evidence, {
          known: desk,
          spends,
          isOwn: ({ sourceId }) => sourceId === actor,
        })
      : []
  const { policy } = desk
  // Naming captures raises a tier only for a caller with authority over the memory, and never for a
  // model.
  const lifts = spends && isFirstHand(label)
  const witnesses = lifts ? anchors.flatMap((ref) => desk.memory(ref) ?? []) : []
  const tierTo = tierByAnchors(witnesses, policy)
  const time = desk.timeOf(arrival.time)
  const at = { policy, time, mayRaise: isPerson, anchors, tierTo, spends }
  if (change.type !== 'adjudicate' && change.type !== 'lapse') return at
  const rivals = rivalsAt(memory, desk).map(({ ref }) => ref)
  if (change.type === 'lapse') return { ...at, rivals }
  const witnessed = isWitnessed(memory, change.evidence, { known: desk, isPerson })
  return { ...at, rivals, isWitnessed: witnessed }
}

/** The words, tags and fields of a change; nothing is sealed where a change has none. */
function noteOf({ change, text }: ChangeCommand, chance: Chance): NoteContent | null {
  const tags = tagsOf(change)
  const fields = change.type === 'annotate' ? change.fields : null
  return sealNote({ fields, tags, text }, chance)
}
