import { type Moment, moveOf } from '../belief/change-memory.ts'
import type { Change, ChangeResult, ChangeType, UnchangedReason } from '../domain/change.ts'
import { tierAtDoor } from '../domain/doors.ts'
import type { ChangeCommand } from '../domain/draft.ts'
import type { ChangeOp, Decision, Facts, SealedNote, StoredEntry } from '../domain/entry.ts'
import { MaintenanceModeError, type MunimentError, ScopeError } from '../domain/errors.ts'
import type { Hash, Ref } from '../domain/ids.ts'
import { isFirstHand, type Label, labelName } from '../domain/labels.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { MemoryState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import { canonicalBytes } from '../hash/canonical.ts'
import { type Chance, chanceOf } from '../hash/chance.ts'
import { commitmentOf } from '../hash/ledger.ts'
import { clearChildren, flagChildren, strengthenSources } from './cascade.ts'
import type { Desk, NoteContent } from './desk.ts'
import { independentAnchors } from './evidence.ts'
import { actorOf } from './plan.ts'
import { prepare } from './preamble.ts'

/** Who changes something, when, and as part of what: the members every entry of it shares. */
export interface Telling {
  readonly desk: Desk
  readonly time: Instant
  readonly unit: number
  readonly actor: Hash
  readonly door: ChangeCommand['caller']['door']
  readonly label: Label
}

/** Changes pass the gate too: its first three rules, and `authority` (18.1). */
export function decideChange(act: ChangeCommand, desk: Desk): Outcome {
  const error = refusal(act, desk)
  if (error) return { type: 'error', error }
  const memory = desk.memory(act.ref)
  if (!memory) return unchanged('not_found')
  const chance = chanceOf(desk.setting.sha256, act.arrival.bytes)
  const time = desk.timeOf(act.arrival.time)
  if (isOverreach(act, memory)) {
    if (isProposed(memory)) return unchanged('proposed')
    const telling = begin(act, desk, { time, chance })
    const facts = { change: act.change.type, ...inputsOf(act.change) }
    const proposed = { ref: act.ref, op: 'memory.proposed', facts, rule: 'authority' } as const
    const stored = tell(telling, proposed, noteOf(act, chance))
    return result(stored, { changed: false, reason: 'proposed' })
  }
  const move = moveOf(memory, act.change, momentOf(act, memory, desk))
  if (move.op === null) return unchanged(move.reason)
  const telling = begin(act, desk, { time, chance })
  const more = cascadeOf(act, memory, move.facts, desk)
  const told = {
    ref: act.ref,
    op: move.op,
    facts: { ...move.facts, ...more },
    rule: 'admit',
  } as const
  const stored = tell(telling, told, noteOf(act, chance))
  const flagged = afterwards(telling, act, { memory, stored })
  return result(stored, {
    changed: move.reason === undefined,
    reason: move.reason ?? null,
    flagged,
  })
}

/** Rules one to three: a stack in maintenance changes nothing, and a door lends no label it lacks. */
function refusal({ caller, label, change }: ChangeCommand, desk: Desk): MunimentError | null {
  if (desk.stack.state === 'MAINTENANCE') return new MaintenanceModeError(change.type)
  const name = labelName(label)
  if (tierAtDoor(desk.policy.doors[caller.door], caller, name) !== undefined) return null
  return new ScopeError(`${name} may not be claimed at the door ${caller.door}.`)
}

/** What takes something from a memory, rewrites how it is found, or decides what a person should. */
const TAKES: ReadonlySet<ChangeType> = new Set([
  'forget',
  'weaken',
  'describe',
  'deactivate',
  'clear',
])

/** One wish at a time waits for a person; saying it again does not grow the ledger. */
export const isProposed = ({ flags }: MemoryState): boolean =>
  flags.some(({ code }) => code === 'proposed')

/** A model may not lower, forget or put aside what a person or a tool said. */
export function isOverreach(
  { label, change }: Pick<ChangeCommand, 'label' | 'change'>,
  memory: MemoryState,
): boolean {
  if (isFirstHand(label) || !isFirstHand(memory.label)) return false
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
    default:
      return {}
  }
}

function momentOf(act: ChangeCommand, memory: MemoryState, desk: Desk): Moment {
  const { change, label, actor, arrival } = act
  const isPerson = labelName(label) === 'UserAsserted'
  const anchors =
    change.type === 'verify' || change.type === 'reinforce'
      ? independentAnchors(memory, change.evidence, { known: desk, actor })
      : []
  return { policy: desk.policy, time: desk.timeOf(arrival.time), mayRaise: isPerson, anchors }
}

/** Readies the ledger and names the one who acts. */
export function begin(
  { actor, caller, label }: Pick<ChangeCommand, 'actor' | 'caller' | 'label'>,
  desk: Desk,
  { time, chance }: { readonly time: Instant; readonly chance: Chance },
): Telling {
  prepare(desk, time, chance)
  const name = actorOf(desk, actor, chance.actorKey)
  return { desk, time, unit: desk.nextSeq, actor: name, door: caller.door, label }
}

interface Told {
  readonly ref: Ref
  readonly op: ChangeOp
  readonly facts: Facts
  readonly rule: Decision['rule']
}

/** Appends one entry about a memory that exists. */
export function tell(
  { desk, time, unit, actor, door, label }: Telling,
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
      tier: null,
      parents: [],
      commitment: content && commitmentOf(desk.setting.sha256, content.salt, content.bytes),
      decision: { rule, disposition: null, reasons: [], facts },
    },
    content,
  )
}

/** The words, tags and fields a change brings along; nothing is sealed where there are none. */
function noteOf({ change, text }: ChangeCommand, chance: Chance): NoteContent | null {
  const tags = change.type === 'describe' ? change.tags : null
  const fields = change.type === 'annotate' ? change.fields : null
  return sealNote({ fields, tags, text }, chance)
}

export function sealNote(note: SealedNote, chance: Chance): NoteContent | null {
  if (note.fields === null && note.tags === null && note.text === null) return null
  return { note, salt: chance.salt(0), bytes: canonicalBytes(note) }
}

/** How many children will be flagged, said in the entry that flags them. */
function cascadeOf(act: ChangeCommand, memory: MemoryState, facts: Facts, desk: Desk): Facts {
  const code = flagFor(act.change.type, facts, desk)
  if (code === null) return {}
  const { length } = desk.childrenOf(memory.ref)
  return length === 0 ? {} : { children: length }
}

/** Forgetting, and falling below the dormant mark, are felt by what was made from a memory. */
function flagFor(type: ChangeType, facts: Facts, desk: Desk) {
  if (type === 'forget') return 'source_forgotten'
  if (type === 'note_dormant') return 'source_dormant'
  if (type !== 'weaken') return null
  const { from, to } = facts.strength as { readonly from: number; readonly to: number } // just made
  const mark = desk.policy.numbers.strengthDormantBelow
  if (from < mark || to >= mark) return null
  return to === 0 ? 'source_forgotten' : 'source_dormant'
}

/** What follows for others, in the same commit and under the same unit. */
function afterwards(
  telling: Telling,
  act: ChangeCommand,
  { memory, stored }: { readonly memory: MemoryState; readonly stored: StoredEntry },
): readonly Ref[] {
  const { facts } = stored.entry.decision
  if (stored.entry.op === 'memory.verified') strengthenSources(telling, memory)
  if (act.change.type === 'recover') clearChildren(telling, memory)
  const code = flagFor(act.change.type, facts, telling.desk)
  return code === null ? [] : flagChildren(telling, memory, code)
}

export const unchanged = (reason: UnchangedReason): Outcome => ({
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
