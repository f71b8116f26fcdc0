import type { MemoryId } from '../domain/ids.ts'
import type { RecordKind } from '../domain/kind-names.ts'
import type { Batch } from '../domain/waist.ts'
import type { PlacedRequest, WriteRequest } from './requests.ts'
import { Overtaken, type Sequencer } from './sequencer.ts'
import { openEpoch } from './telling/epochs.ts'
import type { Uses } from './uses.ts'

type Submit<T> = (request: WriteRequest, knowing: number | null) => Promise<T>

/** Kind and body agree, whichever kind it is. */
const anyOf = <K extends RecordKind>(request: WriteRequest<K>): WriteRequest =>
  request as unknown as WriteRequest

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

  async write<K extends RecordKind, T>(
    request: WriteRequest<K> | PlacedRequest<K>,
    submit: Submit<T>,
  ): Promise<T> {
    if (typeof request !== 'function') return submit(anyOf(request), null)
    const known = this.#known
    if (known !== null && known.strangers === this.#sequencer.strangers) {
      try {
        return await submit(anyOf(request(known.epoch)), known.strangers)
      } catch (cause) {
        if (!(cause instanceof Overtaken)) throw cause
      }
    }
    return this.#afresh(request, submit)
  }

  /** What was just read is taken as it is; it is kept for the next where nobody came in between. */
  async #afresh<K extends RecordKind, T>(request: PlacedRequest<K>, submit: Submit<T>): Promise<T> {
    const { strangers } = this.#sequencer
    const changes = this.#changes
    const epoch = (await openEpoch(this.#uses))?.id ?? null
    const result = await submit(anyOf(request(epoch)), null)
    const isCalm = strangers === this.#sequencer.strangers && changes === this.#changes
    if (isCalm) this.#known = { epoch, strangers }
    return result
  }
}
