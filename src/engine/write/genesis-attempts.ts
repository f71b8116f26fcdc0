import { MunimentError } from '../../domain/errors.ts'
import type { StackId } from '../../domain/ids.ts'
import type { StackState } from '../../domain/state.ts'
import type { Batch } from '../../domain/waist.ts'
import type { Store } from '../../ports/store.ts'

interface Parts {
  readonly stackId: StackId
  readonly store: Store
  /** Called with a first batch that certainly failed. */
  readonly failed: (batch: Batch) => void
}

/** Attempted first batches of a stack, while the first committed batch is not known. */
export class GenesisAttempts {
  readonly #parts: Parts
  #batches: readonly Batch[] = []

  constructor(parts: Parts) {
    this.#parts = parts
  }

  add(batch: Batch): void {
    this.#batches = [...this.#batches, batch]
  }

  /** Other attempted first batches failed, because the ledger began with this stack's uid. */
  begunWith({ uid }: Pick<StackState, 'uid'>, tried: readonly Batch[] = this.#batches): void {
    if (tried.length === 0) return
    this.#batches = this.#batches.filter((batch) => !tried.includes(batch))
    for (const batch of tried) if (batch.stack.uid !== uid) this.#parts.failed(batch)
  }

  /**
   * Finds out whether an attempted first batch exists: certain for a read-only store and under the
   * lock. In doubt, unused keys stay, because a stack must never lose its keys.
   */
  async lookAgain(attempted: Batch, cause: unknown): Promise<void> {
    if (this.#batches.length === 0) return
    if (cause instanceof MunimentError && cause.code === 'store_read_only') {
      this.begunWith({ uid: null }, [attempted])
      return
    }
    const { stackId, store } = this.#parts
    try {
      const standing = await store.exclusively(stackId, (held) =>
        held.read(stackId, { type: 'standing' }),
      )
      this.begunWith(standing.stack)
    } catch {
      // Still unknown; the next write that finds a ledger decides.
    }
  }
}
