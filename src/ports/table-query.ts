import type { SealedRow } from '../domain/entry.ts'
import type { ActorKey, Burst, Tally, Tombstone } from '../domain/state.ts'
import type { BurstKey } from '../domain/waist.ts'
import type { Erasure } from './store.ts'

/** Tables for bundles and audits, each in a fixed order. */
export interface Tables {
  /** Content by the sealing entry. */
  readonly sealed: SealedRow
  /** By identity, then by actor in byte order. */
  readonly bursts: Burst
  readonly actorKeys: ActorKey
  readonly tallies: Tally
  readonly tombstones: Tombstone
  /** Destroyed content with the destroying entries; by `seq`. */
  readonly erasures: Erasure
  /** Entries filed under another memory than the memory that their bytes name. */
  readonly misfiled: number
  /** Erasure entries with bytes that may remain on disk; oldest first. */
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
