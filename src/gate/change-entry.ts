import type { ChangeResult } from '../domain/change.ts'
import type { Tier } from '../domain/doors.ts'
import {
  type ChangeOp,
  type Decision,
  type Facts,
  NEEDS_TIER,
  type SealedNote,
  type StoredEntry,
} from '../domain/entry.ts'
import type { MunimentError } from '../domain/errors.ts'
import type { Hash, Ref } from '../domain/ids.ts'
import type { Label } from '../domain/labels.ts'
import type { Instant } from '../domain/time.ts'
import type { ChangeCommand, EntryPointer, Outcome } from '../domain/write.ts'
import { canonicalBytes } from '../ledger/canonical.ts'
import { type Chance, chanceOf } from '../ledger/chance.ts'
import type { Desk } from './desk.ts'
import { actorOf } from './plan.ts'
import { prepare } from './preamble.ts'
import { type NoteContent, toldTier, wordsTier } from './words.ts'

/** The members shared by every entry of a change, such as author, time and unit. */
export interface Telling {
  readonly desk: Desk
  readonly time: Instant
  readonly unit: number
  readonly actor: Hash
  readonly door: ChangeCommand['caller']['door']
  readonly label: Label
  /** The tier of the caller, and of an annotation that comes with the change. */
  readonly wordsTier: () => Tier
}

/** Readies the ledger and names the actor. */
export function begin(
  act: Pick<ChangeCommand, 'actor' | 'caller' | 'label' | 'arrival'>,
  desk: Desk,
  chance: Chance = chanceOf(desk.setting.sha256, act.arrival.bytes),
): Telling {
  const time = desk.timeOf(act.arrival.time)
  prepare(desk, time, chance)
  const actor = actorOf(desk, act.actor, chance.actorKey)
  const { caller, label } = act
  return {
    ...{ desk, time, unit: desk.nextSeq, actor, door: caller.door, label },
    wordsTier: () => wordsTier(act, desk),
  }
}

interface MemoryEntry {
  readonly ref: Ref
  readonly op: ChangeOp
  readonly facts: Facts
  readonly rule: Decision['rule']
}

/** Appends an entry about an existing memory. */
export function tell(
  { desk, time, unit, actor, door, label, wordsTier: tierOf }: Telling,
  { ref, op, facts, rule }: MemoryEntry,
  content: NoteContent | null = null,
): StoredEntry {
  return desk.append(
    {
      ...{ op, time, unit, ref, actor, door, label },
      tier: content || tellsTier(op, rule) ? toldTier(tierOf(), label) : null,
      decision: { rule, facts },
    },
    content,
  )
}

/** An entry that follows from another entry carries no tier: the first entry has the authority. */
const tellsTier = (op: ChangeOp, rule: Decision['rule']): boolean =>
  NEEDS_TIER.has(op) && (rule !== null || op === 'belief.revised')

export function sealNote(note: SealedNote, chance: Chance): NoteContent | null {
  if (note.fields === null && note.tags === null && note.text === null) return null
  return { note, salt: chance.salt(0), bytes: canonicalBytes(note) }
}

export const unchanged = (
  reason: ChangeResult['reason'],
  entry: EntryPointer | null = null,
): Outcome => ({
  type: 'changed',
  result: { changed: false, reason, entry, flagged: [] },
})

export const failed = (error: MunimentError): Outcome => ({ type: 'error', error })
