import type { SealedRow } from '../domain/entry.ts'
import type { Hash, Ref } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'
import type { ActorKey, Burst, MemoryState, StackState, Tombstone } from '../domain/state.ts'
import type { Context, Needs, Tip } from '../domain/waist.ts'

/** Rows of a store just after a past entry, as far as the next decision needed them. */
export interface PastRows {
  readonly tip: Tip
  readonly stack: StackState
  readonly policies: ReadonlyMap<Hash, Policy>
  readonly memories: ReadonlyMap<Ref, MemoryState>
  readonly sealed: readonly SealedRow[]
  readonly actorKeys: readonly ActorKey[]
  readonly bursts: readonly Burst[]
  readonly tombstones: readonly Tombstone[]
}

/** Gathers from past rows, as a store would have answered then. */
export type GatherPast = (past: PastRows, needs: Needs) => Context
