import { type Moment, moveOf } from '../belief/change-memory.ts'
import { tierByAnchors } from '../belief/risen-tier.ts'
import {
  type Change,
  type ChangeResult,
  type ChangeType,
  isAnnotator,
  type UnchangedReason,
} from '../domain/change.ts'
import { type Tier, tierAtDoor } from '../domain/doors.ts'
import type { ChangeCommand } from '../domain/draft.ts'
import type { ChangeOp, Decision, Facts, SealedNote, StoredEntry } from '../domain/entry.ts'
import { MaintenanceModeError, MunimentError, ScopeError } from '../domain/errors.ts'
import type { Hash, Ref } from '../domain/ids.ts'
import { isFirstHand, type Label, labelName } from '../domain/labels.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { MemoryState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import { canonicalBytes } from '../hash/canonical.ts'
import { type Chance, chanceOf } from '../hash/chance.ts'
import { commitmentOf } from '../hash/ledger.ts'
import { childrenFact, consequencesOf } from './cascade.ts'
import type { NoteContent } from './content.ts'
import type { Desk } from './desk.ts'
import { independentAnchors, isWitnessed } from './evidence.ts'
import { distrustsOf } from './origins.ts'
import { actorOf } from './plan.ts'
import { prepare } from './preamble.ts'
import { attestedAgain, rememberTelling, stillHolds, tellingKey } from './repeats.ts'
import { rivalsAt } from './rivals.ts'
import { toldTier, wordsTier } from './words-tier.ts'

/** Who changes something, when, and as part of what: the members every entry of it shares. */
export interface Telling {
  readonly desk: Desk
  readonly time: Instant
  readonly unit: number
  readonly actor: Hash
  readonly door: ChangeCommand['caller']['door']
  readonly label: Label
  /** What words of it count for, where it has any. */
  readonly wordsTier: () => Tier
}

/** Changes pass the gate too: its first three rules, and `authority` (18.1). */
export function decideChange(act: ChangeCommand, desk: Desk): Outcome {
  const error = refusal(act, desk)
  if (error) return { type: 'error', error }
  const memory = desk.memory(act.ref)
  const change = amongKnown(act.change, desk)
  if (!memory || change === null) return unchanged('not_found')
  if (memory.erased !== null) return unchanged('erased')
  const chance = chanceOf(desk.setting.sha256, act.arrival.bytes)
  const time = desk.timeOf(act.arrival.time)
  const move = moveOf(memory, change, momentOf({ ...act, change }, memory, desk))
  const words = tagsOf(change) === null ? null : wordsTier(act, act.arrival, desk)
  if (isOverreach({ ...act, words }, memory)) {
    // What is not forgotten needs no person to bring it back.
    if (move.op === null && BRINGS.has(change.type)) return unchanged(move.reason)
    const facts = { change: change.type, ...inputsOf(change) }
    const note = noteOf(act, chance)
    return propose(memory, { facts, note }, () => begin(act, desk, { time, chance }))
  }
  if (move.op === null) return unchanged(move.reason)
  const { op } = move
  const key = tellingKey(desk.setting.sha256, op, { ...act, change })
  const told = key === null ? undefined : desk.tally(key)
  if (key !== null && told && stillHolds(told, memory, change)) {
    if (op !== 'memory.attested') return unchanged('already_so')
    prepare(desk, time, chance)
    return attestedAgain(desk, key, time)
  }
  const telling = begin(act, desk, { time, chance })
  const more = childrenFact(memory, { op, facts: move.facts, time }, desk)
  const facts = { ...move.facts, ...more }
  const stored = tell(telling, { ref: act.ref, op, facts, rule: 'admit' }, noteOf(act, chance))
  if (key !== null) rememberTelling(desk, { key, about: act.ref, stored })
  const consequences = consequencesOf(memory, { op, facts, time }, desk)
  for (const each of consequences) tell(telling, { ...each, rule: null })
  return result(stored, {
    changed: move.reason === undefined,
    reason: move.reason ?? null,
    flagged: consequences.flatMap((each) => (each.op === 'memory.flagged' ? [each.ref] : [])),
  })
}

/**
 * A wish about first-hand memory moves nothing and waits for a person. One at a time: the person
 * decides about the wish that was shown, and nobody grows the ledger by wishing again.
 */
export function propose(
  { ref, flags }: MemoryState,
  { facts, note }: { readonly facts: Facts; readonly note: NoteContent | null },
  beginning: () => Telling,
): Outcome {
  if (flags.some(({ code }) => code === 'proposed')) return unchanged('proposed')
  const stored = tell(beginning(), { ref, op: 'memory.proposed', facts, rule: 'authority' }, note)
  return result(stored, { changed: false, reason: 'proposed' })
}

/** What does not exist supports nothing and nothing came of it; null where that leaves no sense. */
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

/** Rules one to three: a stack in maintenance changes nothing, and a door lends no label it lacks. */
function refusal(
  { actor, caller, label, change }: ChangeCommand,
  desk: Desk,
): MunimentError | null {
  if (desk.stack.state === 'MAINTENANCE') return new MaintenanceModeError(change.type)
  if (change.type === 'annotate' && !isAnnotator(change.by)) {
    return new MunimentError('invalid_input', 'That is no name of a component.')
  }
  const name = labelName(label)
  if (tierAtDoor(desk.policy.doors[caller.door], caller, name) === undefined) {
    return new ScopeError(`${name} may not be claimed at the door ${caller.door}.`)
  }
  const { door, session } = caller
  if (RAISES.has(change.type) && distrustsOf(desk, { actor, door, session }).length > 0) {
    return new ScopeError('Where this comes from is not believed, and lifts nothing.', {
      hint: 'A person or the host process can trust it again.',
    })
  }
  if (!ANSWERS.has(change.type) || isFirstHand(label)) return null
  return new ScopeError('What waits for a person is not taken down by a model.')
}

/** What makes a memory count for more, or again. */
const RAISES: ReadonlySet<ChangeType> = new Set([
  'verify',
  'reinforce',
  'adjudicate',
  'reopen',
  'recover',
])

/** What a person has looked at, and waits no longer. */
const ANSWERS: ReadonlySet<ChangeType> = new Set(['clear', 'leave'])

/** What undoes a forgetting, or says that a capture is done with. */
const BRINGS: ReadonlySet<ChangeType> = new Set(['recover', 'process'])

/** What takes something from a memory, rewrites how it is found, or decides what a person should. */
const TAKES: ReadonlySet<ChangeType> = new Set([
  'forget',
  'weaken',
  'describe',
  'deactivate',
  'clear',
  ...BRINGS,
  'end',
  'retract',
])

/** What only somebody first-hand decides, whoever said the memory. */
const DECIDES: ReadonlySet<ChangeType> = new Set(['reopen', 'adjudicate', 'overrule'])

/** Tags that would be read with a memory from then on. */
export const tagsOf = (change: Change): readonly string[] | null =>
  change.type === 'describe' ? change.tags : null

interface Reaching extends Pick<ChangeCommand, 'label' | 'change'> {
  /** What its tags count for; null where it brings none, or nothing was said of it. */
  readonly words: Tier | null
}

/**
 * A model may not lower, forget, bring back or put aside what a person or a tool said, nor have
 * words of its own read with what counts for more than they do.
 */
export function isOverreach({ label, change, words }: Reaching, memory: MemoryState): boolean {
  if (isFirstHand(label)) return false
  if (DECIDES.has(change.type)) return true
  if (words !== null && words < memory.tier) return true
  if (!isFirstHand(memory.label)) return false
  if (change.type === 'protect') return !change.on
  return TAKES.has(change.type)
}

/** What was wished for, as far as it is numbers and refs; words and tags are sealed. */
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
    default:
      return {}
  }
}

function momentOf(act: ChangeCommand, memory: MemoryState, desk: Desk): Moment {
  const { change, label, actor, arrival } = act
  const isPerson = labelName(label) === 'UserAsserted'
  const anchors =
    change.type === 'verify' || change.type === 'reinforce'
      ? independentAnchors(memory, change.evidence, {
          known: desk,
          isOwn: ({ sourceId }) => sourceId === actor,
        })
      : []
  const { policy } = desk
  // A model that names captures does not thereby say that they speak of it.
  const witnesses = isFirstHand(label) ? anchors.flatMap((ref) => desk.memory(ref) ?? []) : []
  const tierTo = tierByAnchors(witnesses, policy)
  const at = { policy, time: desk.timeOf(arrival.time), mayRaise: isPerson, anchors, tierTo }
  if (change.type !== 'adjudicate' && change.type !== 'lapse') return at
  const rivals = rivalsAt(memory, desk).map(({ ref }) => ref)
  if (change.type === 'lapse') return { ...at, rivals }
  const witnessed = isWitnessed(memory, change.evidence, { known: desk, isPerson })
  return { ...at, rivals, isWitnessed: witnessed }
}

/** Readies the ledger and names the one who acts. */
export function begin(
  act: Pick<ChangeCommand, 'actor' | 'caller' | 'label' | 'arrival'>,
  desk: Desk,
  { time, chance }: { readonly time: Instant; readonly chance: Chance },
): Telling {
  prepare(desk, time, chance)
  const actor = actorOf(desk, act.actor, chance.actorKey)
  const { caller, label, arrival } = act
  return {
    ...{ desk, time, unit: desk.nextSeq, actor, door: caller.door, label },
    wordsTier: () => wordsTier(act, arrival, desk),
  }
}

interface Told {
  readonly ref: Ref
  readonly op: ChangeOp
  readonly facts: Facts
  readonly rule: Decision['rule']
}

/** Appends one entry about a memory that exists. */
export function tell(
  { desk, time, unit, actor, door, label, wordsTier: tierOf }: Telling,
  { ref, op, facts, rule }: Told,
  content: NoteContent | null = null,
): StoredEntry {
  return desk.append(
    {
      op,
      time,
      unit,
      ref,
      revision: null,
      actor,
      door,
      label,
      tier: content && toldTier(tierOf(), label),
      parents: [],
      commitment: content && commitmentOf(desk.setting.sha256, content.salt, content.bytes),
      decision: { rule, disposition: null, reasons: [], facts },
    },
    content,
  )
}

/** The words, tags and fields a change brings along; nothing is sealed where there are none. */
function noteOf({ change, text }: ChangeCommand, chance: Chance): NoteContent | null {
  const tags = tagsOf(change)
  const fields = change.type === 'annotate' ? change.fields : null
  return sealNote({ fields, tags, text }, chance)
}

export function sealNote(note: SealedNote, chance: Chance): NoteContent | null {
  if (note.fields === null && note.tags === null && note.text === null) return null
  return { note, salt: chance.salt(0), bytes: canonicalBytes(note) }
}

const unchanged = (reason: UnchangedReason): Outcome => ({
  type: 'changed',
  result: { changed: false, reason, entry: null, flagged: [] },
})

const result = (
  { entry, hash }: StoredEntry,
  what: Partial<ChangeResult> & Pick<ChangeResult, 'changed' | 'reason'>,
): Outcome => ({
  type: 'changed',
  result: { flagged: [], ...what, entry: { seq: entry.seq, hash } },
})
