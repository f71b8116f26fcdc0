import type { SealedNote, StoredEntry } from '../domain/entry.ts'
import type { Policy } from '../domain/policy.ts'
import { asToldThere, bringsWords, receivedIn } from '../domain/received.ts'
import type { MemoryState } from '../domain/state.ts'
import { type FoldInput, foldMemory, hollow } from './fold-memory.ts'

/** An entry about a memory as it lies in the local ledger, with the words that it brought. */
export interface MergedStep {
  readonly stored: StoredEntry
  readonly sealed: FoldInput['sealed']
  readonly note: SealedNote | null
}

/** The place of an entry among the entries of all replicas. */
export interface PlaceOfOrigin {
  readonly time: string
  readonly replica: string
  readonly number: number
}

export function placeOf({ entry }: StoredEntry): PlaceOfOrigin {
  const { time, replica, seq } = receivedIn(entry)?.entry ?? entry
  return { time, replica, number: seq }
}

export const isSamePlace = (a: PlaceOfOrigin, b: PlaceOfOrigin): boolean =>
  a.replica === b.replica && a.number === b.number

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Time, replica, number: an order that every replica works out alike. */
const byPlace = (a: PlaceOfOrigin, b: PlaceOfOrigin): number =>
  byText(a.time, b.time) || byText(a.replica, b.replica) || a.number - b.number

/**
 * The state of a memory from all entries about the memory, in the order of their origin. Whatever
 * arrived first, replicas with the same entries come to the same state.
 */
export function foldMerged(steps: readonly MergedStep[], policy: Policy): MemoryState | undefined {
  const placed = new Map<string, Placed>()
  for (const step of steps) {
    const place = placeOf(step.stored)
    placed.set(`${place.replica} ${place.number}`, { step, place }) // pairing enters words again
  }
  const inOrder = [...placed.values()].sort(byOrigin)
  const state = inOrder.reduce<MemoryState | undefined>(
    (before, { step }) => foldStep(before, step, policy),
    undefined,
  )
  const [first] = steps
  if (state === undefined || first === undefined) return undefined
  // The row keeps its key, also where an earlier birth of the memory arrives later.
  return { ...state, seq: first.stored.entry.seq, unit: first.stored.entry.unit }
}

interface Placed {
  readonly step: MergedStep
  readonly place: PlaceOfOrigin
}

const isErasure = ({ step }: Placed): boolean => step.stored.entry.op === 'memory.erased'

/** An erasure is the last word, whatever the clocks said. */
const byOrigin = (a: Placed, b: Placed): number =>
  Number(isErasure(a)) - Number(isErasure(b)) || byPlace(a.place, b.place)

function foldStep(
  before: MemoryState | undefined,
  { stored, sealed, note }: MergedStep,
  policy: Policy,
): MemoryState | undefined {
  const received = receivedIn(stored.entry)
  const told = received ? asToldThere(stored.entry, received) : stored.entry
  if (!bringsWords(told)) {
    return foldMemory(before, { ...stored, entry: told }, { sealed: null, note, policy })
  }
  // Two replicas number their revisions alike, and a memory brought to two has two births.
  const revision = (before?.revision ?? 0) + 1
  const op = before === undefined ? 'memory.saved' : 'memory.revised'
  const entry = { ...stored, entry: { ...told, op, revision } as const }
  return sealed === null
    ? hollow(before, entry, policy)
    : foldMemory(before, entry, { sealed, policy })
}
