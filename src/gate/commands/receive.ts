import { isTier } from '../../domain/doors.ts'
import type { Entry } from '../../domain/entry.ts'
import { assert, MaintenanceModeError, ScopeError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import { bringsWords, isOfOneUnit, receivedFacts, timeBehind } from '../../domain/received.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { EntryPointer, Outcome, ReceiveCommand, ReceivedItem } from '../../domain/write.ts'
import type { MergedStep } from '../../fold/merged-order.ts'
import { chanceOf } from '../../ledger/chance.ts'
import type { Desk } from '../desk.ts'
import { appendState, prepare } from '../preamble.ts'
import { type Content, contentOf, type NoteContent } from '../words.ts'

/** A memory that exists here, and its entries so far. */
export interface ReceivedHistory {
  readonly state: MemoryState
  readonly steps: readonly MergedStep[]
}

/** The memories of the items, and the sources of the births among them. */
export const refsOf = ({ items }: ReceiveCommand): readonly Ref[] =>
  items.flatMap(({ entry }) => [entry.ref, ...entry.parents.map(({ ref }) => ref)])

/**
 * Enters entries of other replicas. The gate of origin decided on the words, so no rule is asked
 * again; a memory is folded from all entries about the memory, in the order of their origin.
 */
export function decideReceive(command: ReceiveCommand, desk: Desk): Outcome {
  const histories = command.histories as ReadonlyMap<Ref, ReceivedHistory> // read by the engine
  if (command.caller.door !== 'sync') {
    const message = `The door ${command.caller.door} may not do this: receive.`
    return { type: 'error', error: new ScopeError(message) }
  }
  if (desk.stack.state === 'MAINTENANCE') {
    return { type: 'error', error: new MaintenanceModeError('a pull') }
  }
  if (!command.items.every((item) => isAsRead(item, histories, desk))) {
    return { type: 'received', entries: null }
  }
  const time = desk.timeOf(command.arrival.time)
  prepare(desk, time, chanceOf(desk.setting.sha256, command.arrival.bytes))
  if (desk.stack.state === 'INITIALIZING') appendState(desk, time, 'ACTIVE')
  const told = new Map<Ref, readonly MergedStep[]>()
  let before: { readonly origin: Entry; readonly unit: number } | null = null
  const entries = command.items.map((item): EntryPointer => {
    const { entry: origin } = item
    const steps = told.get(origin.ref) ?? histories.get(origin.ref)?.steps ?? []
    const isJoined = before !== null && isOfOneUnit(before.origin, origin)
    const unit = isJoined && before ? before.unit : desk.nextSeq
    const step = enter(item, { steps, unit }, desk)
    before = { origin, unit }
    told.set(origin.ref, [...steps, step])
    return { seq: step.stored.entry.seq, hash: step.stored.hash }
  })
  return { type: 'received', entries }
}

/** The history is whole: no write changed the memory after the history was read. */
function isAsRead(
  { entry: { ref } }: ReceivedItem,
  histories: ReadonlyMap<Ref, ReceivedHistory>,
  desk: Desk,
): boolean {
  const before = histories.get(ref)?.state
  return JSON.stringify(desk.memory(ref)) === JSON.stringify(before)
}

interface Place {
  readonly steps: readonly MergedStep[]
  readonly unit: number
}

function enter(item: ReceivedItem, { steps, unit }: Place, desk: Desk): MergedStep {
  const { entry, tier, seal } = item
  const { ref } = entry
  assert(bringsWords(entry) === isTier(tier), 'words have a tier, other entries none')
  const content: Content | NoteContent | null = seal && contentOf(desk.setting.sha256, entry, seal)
  const facts = receivedFacts(item)
  const time = timeBehind(desk.timeOf(desk.time ?? entry.time), entry.time)
  const given = { op: 'memory.received', time, ref, unit, door: 'sync', tier } as const
  return desk.receive({ ...given, decision: { facts } }, content, steps)
}
