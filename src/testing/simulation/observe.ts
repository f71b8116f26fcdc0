import type { Entry, SealedRow } from '../../domain/entry.ts'
import type { Ref, StackId } from '../../domain/ids.ts'
import type { ActorKey, MemoryState, StackState, Tally } from '../../domain/state.ts'
import { UNBORN } from '../../domain/state.ts'
import type { EntryRow, Store } from '../../ports/store.ts'

/** An entry parsed from its bytes, with its row. */
export interface SeenEntry extends EntryRow {
  readonly text: string
  readonly entry: Entry
}

/** All stored data of a stack. */
export interface Observation {
  readonly entries: readonly SeenEntry[]
  readonly sealed: readonly SealedRow[]
  readonly memories: readonly MemoryState[]
  readonly byRef: ReadonlyMap<Ref, MemoryState>
  readonly tallies: readonly Tally[]
  readonly actorKeys: readonly ActorKey[]
  readonly counts: Readonly<Record<string, number>>
  readonly stack: StackState
}

export const NOTHING: Observation = {
  entries: [],
  sealed: [],
  memories: [],
  byRef: new Map(),
  tallies: [],
  actorKeys: [],
  counts: {},
  stack: UNBORN,
}

const decoder = new TextDecoder()

function seen(row: EntryRow): SeenEntry {
  const text = decoder.decode(row.bytes)
  return { ...row, text, entry: JSON.parse(text) as Entry } // the audit reads this with more suspicion
}

export async function observe(store: Store, stackId: StackId): Promise<Observation> {
  const { tip, stack } = await store.read(stackId, { type: 'standing' })
  const to = tip.head.seq
  const rows = await store.read(stackId, { type: 'entries', from: 0, limit: to + 1 })
  const memories = await store.read(stackId, {
    type: 'memories',
    as: 'state',
    order: 'oldest',
    limit: to + 1,
  })
  return {
    entries: rows.map(seen),
    sealed: await store.read(stackId, { type: 'table', name: 'sealed', from: 0, to }),
    memories,
    byRef: new Map(memories.map((memory) => [memory.ref, memory])),
    tallies: await store.read(stackId, { type: 'table', name: 'tallies' }),
    actorKeys: await store.read(stackId, { type: 'table', name: 'actorKeys' }),
    counts: await store.read(stackId, { type: 'counts' }),
    stack,
  }
}
