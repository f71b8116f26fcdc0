import type { Ref } from '../../domain/ids.ts'
import type { Memory } from '../read/memory-view.ts'

/** One memory on the way from a belief to the words it rests on. */
export interface LineageStep {
  readonly memory: Memory
  /** Steps from the memory that was asked about. */
  readonly distance: number
  readonly parents: readonly Ref[]
}
