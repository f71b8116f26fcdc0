import { tierAtDoor } from '../domain/doors.ts'
import type { EraseCommand } from '../domain/draft.ts'
import type { StoredEntry } from '../domain/entry.ts'
import type { ErasureTarget } from '../domain/erasure.ts'
import { MunimentError, ScopeError, VersionConflictError } from '../domain/errors.ts'
import type { Ref } from '../domain/ids.ts'
import { isFirstHand, labelName } from '../domain/labels.ts'
import { LIMITS } from '../domain/limits.ts'
import type { EntryPointer, Outcome } from '../domain/outcome.ts'
import type { MemoryState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import { chanceOf } from '../hash/chance.ts'
import { begin, propose, type Telling, tell } from './change.ts'
import type { Desk } from './desk.ts'

/**
 * What is erased cannot be brought back, so only a person or the host erases; a model's wish about
 * one memory waits for a person, whoever said the memory. A stack in maintenance erases too.
 */
export function decideErase(
  act: EraseCommand,
  desk: Desk,
  isTrusted: (caller: EraseCommand['caller']) => boolean,
): Outcome {
  const name = labelName(act.label)
  if (tierAtDoor(desk.policy.doors[act.caller.door], act.caller, name) === undefined) {
    return failed(new ScopeError(`${name} may not be claimed at the door ${act.caller.door}.`))
  }
  const found = targetsOf(act, desk)
  if (found instanceof MunimentError) return failed(found)
  const time = desk.timeOf(act.arrival.time)
  const starting = (): Telling =>
    begin(act, desk, { time, chance: chanceOf(desk.setting.sha256, act.arrival.bytes) })
  if (!isFirstHand(act.label)) return wish(act, found, starting)
  if (!isTrusted(act.caller)) {
    const hint = 'A person or the host process can.'
    return failed(new ScopeError(`The door ${act.caller.door} may not erase.`, { hint }))
  }
  const shreds = act.shred !== null && desk.actorKey(act.shred) !== undefined
  if (found.length === 0 && !shreds) return { type: 'erased', entries: [] }
  return { type: 'erased', entries: eraseAll(act, found, starting()) }
}

const failed = (error: MunimentError): Outcome => ({ type: 'error', error })

interface Found {
  readonly target: ErasureTarget
  readonly memory: MemoryState
}

/** As they were read: words that came since then would go unmarked. */
function targetsOf({ targets }: EraseCommand, desk: Desk): readonly Found[] | MunimentError {
  const found: Found[] = []
  for (const target of targets) {
    const memory = desk.memory(target.ref)
    if (!memory) return new MunimentError('not_found', `${target.ref} does not exist.`)
    if (memory.erased !== null) continue
    if (memory.revision !== target.revision) {
      return new VersionConflictError(target.ref, target.revision, memory.revision)
    }
    found.push({ target, memory })
  }
  return found
}

function wish(
  { basis, shred, targets }: EraseCommand,
  [first]: readonly Found[],
  starting: () => Telling,
): Outcome {
  if (shred !== null || first === undefined || first.memory.ref !== targets[0]?.ref) {
    return failed(new ScopeError('A model may wish one memory erased, and a person decides.'))
  }
  return propose(first.memory, { facts: { change: 'erase', basis }, note: null }, starting)
}

function eraseAll(
  act: EraseCommand,
  found: readonly Found[],
  telling: Telling,
): readonly EntryPointer[] {
  const { desk, time } = telling
  const pointers: EntryPointer[] = []
  const erase = ({ entry, hash }: StoredEntry): void => {
    pointers.push({ seq: entry.seq, hash })
  }
  const children = act.derived === 'list' ? childrenLeft(found, desk) : []
  for (const each of found) erase(eraseOne(act, each, telling))
  const { shred } = act
  if (shred !== null && desk.actorKey(shred) !== undefined) {
    const facts = { basis: act.basis, of: desk.pseudonym(shred) }
    const stored = appendErasure(telling, { op: 'actor.erased', ref: null, facts, time })
    desk.shredActor(shred, stored.entry.seq)
    erase(stored)
  }
  for (const { ref, by } of children) {
    tell(telling, { ref, op: 'memory.flagged', facts: { code: 'source_erased', by }, rule: null })
  }
  return pointers
}

/** What was made from what goes and stays itself: each waits for a person, once for each source. */
function childrenLeft(
  found: readonly Found[],
  desk: Desk,
): readonly { readonly ref: Ref; readonly by: Ref }[] {
  const going = new Set(found.map(({ memory }) => memory.ref))
  return found.flatMap(({ memory: { ref: by } }) =>
    desk
      .childrenOf(by)
      .slice(0, LIMITS.cascadeFlagsMax)
      .filter(({ ref, erased }) => erased === null && !going.has(ref))
      .map(({ ref }) => ({ ref, by })),
  )
}

function eraseOne(act: EraseCommand, { target, memory }: Found, telling: Telling): StoredEntry {
  const { desk, time } = telling
  const facts = {
    basis: act.basis,
    // Whether it spoke for a time of its own, so that no older claim speaks up in its place.
    ...(memory.claim === null ? {} : { dated: memory.claim.span.from !== null }),
    tombstones: target.marks,
  }
  const stored = appendErasure(telling, { op: 'memory.erased', ref: memory.ref, facts, time })
  const { seq } = stored.entry
  for (const mark of target.marks) {
    if (!desk.isTombstoned(mark)) desk.putTombstone({ mark, seq })
  }
  const { ref, seq: birth } = memory
  desk.eraseMemory({ ref, birth, entry: seq, identities: target.identities })
  return stored
}

function appendErasure(
  { desk, unit, actor, door }: Telling,
  {
    op,
    ref,
    facts,
    time,
  }: {
    readonly op: 'memory.erased' | 'actor.erased'
    readonly ref: Ref | null
    readonly facts: StoredEntry['entry']['decision']['facts']
    readonly time: Instant
  },
): StoredEntry {
  return desk.append({
    op,
    time,
    unit,
    ref,
    revision: null,
    actor,
    door,
    label: null,
    tier: null,
    parents: [],
    commitment: null,
    decision: { rule: null, disposition: null, reasons: [], facts },
  })
}
