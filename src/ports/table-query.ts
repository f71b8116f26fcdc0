import type { SealedRow } from '../domain/entry.ts'
import type { ActorKey, Burst, Tally, Tombstone } from '../domain/state.ts'
import type { BurstKey } from '../domain/waist.ts'
import type { Erasure } from './store.ts'

/** Tables as bundles and audits read them, each in one order. */
export interface Tables {
  /** Content by the entry that sealed it. */
  readonly sealed: SealedRow
  /** By identity, then by actor in the order of its bytes. */
  readonly bursts: Burst
  readonly actorKeys: ActorKey
  readonly tallies: Tally
  readonly tombstones: Tombstone
  /** Content that is gone, and the entries that say so; by `seq`. */
  readonly erasures: Erasure
  /** Entries that are found under another memory than the one their bytes name. */
  readonly misfiled: number
  /** Entries of erasures whose bytes may still lie about; oldest first. */
  readonly scrubs: number
}

export type TableName = keyof Tables

export type TableQuery =
  | { readonly type: 'table'; readonly name: Exclude<TableName, 'sealed' | 'bursts'> }
  | {
      readonly type: 'table'
      readonly name: 'sealed'
      readonly from: number
      readonly to: number
    }
  | {
      readonly type: 'table'
      readonly name: 'bursts'
      readonly after: BurstKey | null
      readonly limit: number
    }
