import type { MemoryId } from '../../domain/ids.ts'
import type { Batch } from '../../domain/waist.ts'
import type { Uses } from '../engine.ts'
import { openEpoch } from '../epochs/epochs.ts'
import { HeadMovedError, type Sequencer } from './sequencer.ts'

/** Builds a request for the open epoch, or for none. */
type RequestForEpoch<R> = (epoch: MemoryId | null) => R
type Submit<R, T> = (made: R, expectedMoves: number | null) => Promise<T>

/**
 * Finds the open epoch for writes. The known epoch is used again while no other writer moves the
 * head: such a write expects the known head, and after a move the request is built again from a
 * fresh read. Under constant foreign writes, every write reads the epoch.
 */
export class EpochPlacement {
  readonly #uses: Pick<Uses, 'read' | 'moment'>
  readonly #sequencer: Pick<Sequencer, 'foreignMoves'>
  #known: { readonly epoch: MemoryId | null; readonly foreignMoves: number } | null = null
  #changes = 0

  constructor(uses: Pick<Uses, 'read' | 'moment'>, sequencer: Pick<Sequencer, 'foreignMoves'>) {
    this.#uses = uses
    this.#sequencer = sequencer
  }

  /** A written epoch makes the known epoch outdated. */
  onCommit({ memories }: Pick<Batch, 'memories'>): void {
    if (!memories.some(({ kind }) => kind === 'epoch')) return
    this.#known = null
    this.#changes += 1
  }

  /** A ready request, made without an epoch, is submitted unchanged. */
  async write<R extends object, T>(made: R | RequestForEpoch<R>, submit: Submit<R, T>): Promise<T> {
    return typeof made === 'function' ? this.#inOpen(made, submit) : submit(made, null)
  }

  async #inOpen<R, T>(make: RequestForEpoch<R>, submit: Submit<R, T>): Promise<T> {
    const known = this.#known
    if (known !== null && known.foreignMoves === this.#sequencer.foreignMoves) {
      try {
        return await submit(make(known.epoch), known.foreignMoves)
      } catch (cause) {
        if (!(cause instanceof HeadMovedError)) throw cause
      }
    }
    return this.#afresh(make, submit)
  }

  /** Reads the open epoch; keeps the result only when no other writer came in between. */
  async #afresh<R, T>(make: RequestForEpoch<R>, submit: Submit<R, T>): Promise<T> {
    const { foreignMoves } = this.#sequencer
    const changes = this.#changes
    const epoch = (await openEpoch(this.#uses))?.id ?? null
    const result = await submit(make(epoch), null)
    const isCalm = foreignMoves === this.#sequencer.foreignMoves && changes === this.#changes
    if (isCalm) this.#known = { epoch, foreignMoves }
    return result
  }
}
