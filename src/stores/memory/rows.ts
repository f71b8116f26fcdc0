import type { SealedRow } from '../../domain/entry.ts'
import { type Hash, type Ref, ZERO_HASH } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import {
  type ActorKey,
  type Burst,
  type MemoryState,
  type StackState,
  type Tally,
  type Tombstone,
  UNBORN,
} from '../../domain/state.ts'
import type { Tip } from '../../domain/waist.ts'
import type { EntryRow } from '../../ports/store.ts'
import type { VectorRow } from '../../ports/vectors.ts'

/** Vectors of one model, complete up to the entry `upto`. */
export interface Vectors {
  readonly upto: number
  readonly rows: ReadonlyMap<number, VectorRow>
}

/** One stack in memory: arrays and maps, obviously right. */
export interface Rows {
  entries: EntryRow[]
  sealed: Map<number, SealedRow>
  memories: Map<Ref, MemoryState>
  children: Map<Ref, Ref[]>
  texts: Map<number, readonly string[]>
  actorKeys: Map<string, ActorKey>
  tallies: Map<string, Tally>
  bursts: Map<string, Burst>
  tombstones: Map<Hash, Tombstone>
  erasures: Map<number, number>
  scrubs: Set<number>
  policies: Map<Hash, Policy>
  /** By model. */
  vectors: Map<string, Vectors>
  tip: Tip
  stack: StackState
}

export const emptyRows = (): Rows => ({
  entries: [],
  sealed: new Map(),
  memories: new Map(),
  children: new Map(),
  texts: new Map(),
  actorKeys: new Map(),
  tallies: new Map(),
  bursts: new Map(),
  tombstones: new Map(),
  erasures: new Map(),
  scrubs: new Set(),
  policies: new Map(),
  vectors: new Map(),
  tip: { head: { seq: -1, hash: ZERO_HASH, rev: 0 }, time: null, tree: { size: 0, hashes: [] } },
  stack: UNBORN,
})

export const burstKeyOf = (row: Pick<Burst, 'actor' | 'identity'>): string =>
  JSON.stringify([row.actor, row.identity])

/** Rows are never changed in place, so a copy of the lists and maps is enough. */
export const copyOf = (rows: Rows): Rows => ({
  entries: [...rows.entries],
  sealed: new Map(rows.sealed),
  memories: new Map(rows.memories),
  children: new Map(rows.children),
  texts: new Map(rows.texts),
  actorKeys: new Map(rows.actorKeys),
  tallies: new Map(rows.tallies),
  bursts: new Map(rows.bursts),
  tombstones: new Map(rows.tombstones),
  erasures: new Map(rows.erasures),
  scrubs: new Set(rows.scrubs),
  policies: new Map(rows.policies),
  vectors: new Map(rows.vectors),
  tip: rows.tip,
  stack: rows.stack,
})

const decoder = new TextDecoder()

export const refIn = (bytes: Uint8Array): unknown => JSON.parse(decoder.decode(bytes)).ref
