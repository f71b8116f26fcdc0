import type { Ref } from '../domain/ids.ts'
import type { Memory } from './memory-view.ts'

/** One memory on the way from a belief to the words it rests on. */
export interface LineageStep {
  readonly memory: Memory
  /** Steps from the memory that was asked about. */
  readonly distance: number
  readonly parents: readonly Ref[]
}

/** A step whose memory is put together when it is first looked at: of a long way most is passed by. */
class Unseen implements LineageStep {
  declare readonly memory: Memory
  declare readonly distance: number
  declare readonly parents: readonly Ref[]
  readonly #view: () => Memory
  #seen: Memory | null = null

  constructor({ distance, parents }: Omit<LineageStep, 'memory'>, view: () => Memory) {
    Object.defineProperty(this, 'memory', Unseen.#MEMORY)
    this.distance = distance
    this.parents = parents
    this.#view = view
  }

  // Of its own, as any field is, so that it is copied and written out with the others.
  static readonly #MEMORY = {
    enumerable: true,
    get(this: Unseen): Memory {
      this.#seen ??= this.#view()
      return this.#seen
    },
  }
}

export const stepTo = (at: Omit<LineageStep, 'memory'>, view: () => Memory): LineageStep =>
  new Unseen(at, view)
