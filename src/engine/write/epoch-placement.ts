import type { MemoryId } from '../../domain/ids.ts'
import type { Batch } from '../../domain/waist.ts'
import type { Uses } from '../engine.ts'
import { openEpoch } from '../epochs/epochs.ts'
import { Overtaken, type Sequencer } from './sequencer.ts'

/** What is to be written, for an epoch that is open or none. */
type Made<R> = (epoch: MemoryId | null) => R
type Submit<R, T> = (made: R, knowing: number | null) => Promise<T>

/**
 * Which epoch is open, for whoever writes into it. What was read once is used again while nobody else
 * is seen to write: such a write is decided only on a ledger that others left alone since, and is made
 * anew where they did not. Where others write, it is read for every write.
 */
export class Placing {
  readonly #uses: Pick<Uses, 'read' | 'moment'>
  readonly #sequencer: Pick<Sequencer, 'strangers'>
  #known: { readonly epoch: MemoryId | null; readonly strangers: number } | null = null
  #changes = 0

  constructor(uses: Pick<Uses, 'read' | 'moment'>, sequencer: Pick<Sequencer, 'strangers'>) {
    this.#uses = uses
    this.#sequencer = sequencer
  }

  /** Where an epoch was written, what is known may be so no longer. */
  heard({ memories }: Pick<Batch, 'memories'>): void {
    if (!memories.some(({ kind }) => kind === 'epoch')) return
    this.#known = null
    this.#changes += 1
  }

  /** What is made for no epoch is written as it is. */
  async write<R extends object, T>(made: R | Made<R>, submit: Submit<R, T>): Promise<T> {
    return typeof made === 'function' ? this.#inOpen(made, submit) : submit(made, null)
  }

  async #inOpen<R, T>(make: Made<R>, submit: Submit<R, T>): Promise<T> {
    const known = this.#known
    if (known !== null && known.strangers === this.#sequencer.strangers) {
      try {
        return await submit(make(known.epoch), known.strangers)
      } catch (cause) {
        if (!(cause instanceof Overtaken)) throw cause
      }
    }
    return this.#afresh(make, submit)
  }

  /** What was just read is taken as it is; it is kept for the next where nobody came in between. */
  async #afresh<R, T>(make: Made<R>, submit: Submit<R, T>): Promise<T> {
    const { strangers } = this.#sequencer
    const changes = this.#changes
    const epoch = (await openEpoch(this.#uses))?.id ?? null
    const result = await submit(make(epoch), null)
    const isCalm = strangers === this.#sequencer.strangers && changes === this.#changes
    if (isCalm) this.#known = { epoch, strangers }
    return result
  }
}
