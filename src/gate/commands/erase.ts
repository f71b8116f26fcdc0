import type { Facts, StoredEntry } from '../../domain/entry.ts'
import type { ErasureTarget } from '../../domain/erasure.ts'
import { MunimentError, ScopeError, VersionConflictError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import { isFirstHand } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Policy } from '../../domain/policy.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { EntryPointer, EraseCommand, Outcome } from '../../domain/write.ts'
import { fallOfErased } from '../../fold/distrust.ts'
import { isLineClaim } from '../../fold/line-claims.ts'
import { whyNotDecided } from '../change-caller.ts'
import { begin, failed, type Telling, tell } from '../change-entry.ts'
import type { Desk } from '../desk.ts'
import { placeFacts, placesKept } from '../erased-place.ts'
import { propose } from '../proposal.ts'
import { tellTurning } from './distrust.ts'

/**
 * An erasure cannot be undone, so only a person or the host erases. A model can only propose to
 * erase one memory; a person approves the proposal. A stack in maintenance erases too.
 */
export function decideErase(act: EraseCommand, desk: Desk): Outcome {
  const refused = whyNotErase(act, desk.policy)
  if (refused) return failed(refused)
  const found = targetsOf(act, desk)
  if (found instanceof MunimentError) return failed(found)
  if (!isFirstHand(act.label)) return wish(act, found, desk)
  const shreds = act.shred !== null && desk.actorKey(act.shred) !== undefined
  if (found.length === 0 && !shreds) return { type: 'erased', entries: [] }
  return { type: 'erased', entries: eraseAll(act, found, begin(act, desk)) }
}

/**
 * The reason against an erasure, whatever its targets; null where the caller may erase or propose.
 * Steps that must run before the commit check this first.
 */
export const whyNotErase = (
  act: Pick<EraseCommand, 'label' | 'caller' | 'shred'>,
  policy: Policy,
): ScopeError | null =>
  whyNotDecided(act, policy, { mayPropose: act.shred === null, forModels: ONE_ONLY, verb: 'erase' })

const ONE_ONLY = 'A model can propose to erase one memory; a person decides.'

interface FoundTarget {
  readonly target: ErasureTarget
  readonly memory: MemoryState
}

/** The targets in the revision that was read: words of a later revision would get no tombstone. */
function targetsOf({ targets }: EraseCommand, desk: Desk): readonly FoundTarget[] | MunimentError {
  const found: FoundTarget[] = []
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

function wish(act: EraseCommand, [first]: readonly FoundTarget[], desk: Desk): Outcome {
  const { actor: by, basis, targets } = act
  if (first?.memory.ref !== targets[0]?.ref || !first) return failed(new ScopeError(ONE_ONLY))
  const wished = { memory: first.memory, facts: { change: 'erase', basis }, note: null, by }
  return propose(wished, desk, () => begin(act, desk))
}

function eraseAll(
  act: EraseCommand,
  found: readonly FoundTarget[],
  telling: Telling,
): readonly EntryPointer[] {
  const { desk, time } = telling
  const pointers: EntryPointer[] = []
  const erase = ({ entry, hash }: StoredEntry): void => {
    pointers.push({ seq: entry.seq, hash })
  }
  const going = new Set(found.map(({ memory }) => memory.ref))
  const children = act.derived === 'list' ? childrenLeft(found, going, desk) : []
  const places = act.lines.flatMap(({ line }) =>
    placesKept(desk.onLine(line).filter(isLineClaim), going, { policy: desk.policy, time }),
  )
  // Computed before any of the memories is erased.
  const told = found.map((each) => ({ ...each, place: placeFacts(each.memory, desk, time) }))
  for (const each of told) erase(eraseOne(act, each, telling))
  const { shred } = act
  if (shred !== null && desk.actorKey(shred) !== undefined) {
    const facts = { basis: act.basis, of: desk.pseudonym(shred) }
    const stored = appendErasure(telling, { op: 'actor.erased', ref: null, facts })
    desk.shredActor(shred, stored.entry.seq)
    erase(stored)
  }
  for (const place of places) tell(telling, { ...place, rule: null })
  for (const { ref, by } of children) {
    tell(telling, { ref, op: 'memory.flagged', facts: { code: 'source_erased', by }, rule: null })
  }
  const left = desk.gathered.flatMap(({ ref }) => desk.memory(ref) ?? [])
  tellTurning(telling, fallOfErased(left, going), true, null)
  return pointers
}

/** Remaining children of erased memories: each waits for a person, once for each source. */
function childrenLeft(
  found: readonly FoundTarget[],
  going: ReadonlySet<Ref>,
  desk: Desk,
): readonly { readonly ref: Ref; readonly by: Ref }[] {
  return found.flatMap(({ memory: { ref: by } }) =>
    desk
      .childrenOf(by)
      .slice(0, LIMITS.cascadeFlagsMax)
      .filter(({ ref, erased }) => erased === null && !going.has(ref))
      .map(({ ref }) => ({ ref, by })),
  )
}

function eraseOne(
  act: EraseCommand,
  { target, memory, place }: FoundTarget & { readonly place: Facts },
  telling: Telling,
): StoredEntry {
  const { desk } = telling
  const facts = { basis: act.basis, ...place, tombstones: target.marks }
  const stored = appendErasure(telling, { op: 'memory.erased', ref: memory.ref, facts })
  const { seq } = stored.entry
  for (const mark of target.marks) {
    if (!desk.isTombstoned(mark)) desk.putTombstone({ mark, seq })
  }
  const { ref, seq: birth } = memory
  desk.eraseMemory({ ref, birth, entry: seq, identities: target.identities })
  return stored
}

interface ErasureEntry {
  readonly op: 'memory.erased' | 'actor.erased'
  readonly ref: Ref | null
  readonly facts: Facts
}

const appendErasure = (
  { desk, unit, actor, door, time }: Telling,
  { op, ref, facts }: ErasureEntry,
): StoredEntry => desk.append({ op, time, unit, ref, actor, door, decision: { facts } })
