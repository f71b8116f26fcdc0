import type { SealedRow } from '../domain/entry.ts'
import type { Hash, Ref } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'
import type { ActorKey, Burst, MemoryState, StackState, Tombstone } from '../domain/state.ts'
import type { Context, Needs, Tip } from '../domain/waist.ts'

/** What a store held just after an entry of the past, as far as the next draft was decided by it. */
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

/** Answers from such rows what a store would have answered then. */
export type GatherPast = (past: PastRows, needs: Needs) => Context
