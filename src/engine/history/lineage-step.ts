import type { Ref } from '../../domain/ids.ts'
import type { Memory } from '../read/memory-view.ts'

/** One memory of a lineage. */
export interface LineageStep {
  readonly memory: Memory
  /** Steps from the memory in question. */
  readonly distance: number
  readonly parents: readonly Ref[]
}
