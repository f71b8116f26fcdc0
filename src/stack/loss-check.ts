import { MunimentError } from '../domain/errors.ts'
import type { StackId } from '../domain/ids.ts'
import type { CheckpointShelf } from '../ports/signer.ts'
import type { ReadQuery, ReadResults, Store } from '../ports/store.ts'
import { assertNoneSigned } from './signed-here.ts'

interface Ledger {
  readonly stackId: StackId
  readonly store: Pick<Store, 'read' | 'witnessed'>
  readonly shelf?: CheckpointShelf | undefined
}

/** The last entry that the store's witness saw committed; -1 where the store has none. */
export const witnessedIn = async (store: Pick<Store, 'witnessed'>): Promise<number> =>
  (await store.witnessed?.()) ?? -1

/**
 * Refuses answers from a ledger that lost entries: an agent would take them for all that was ever said
 * (LEDGER-DETECT). A ledger that was found whole is not looked at again.
 */
export class LossCheck {
  readonly #ledger: Ledger
  #isWhole: boolean

  constructor(ledger: Ledger, isWhole: boolean) {
    this.#ledger = ledger
    this.#isWhole = isWhole
  }

  /** Reads from a ledger that lost nothing. */
  async readWhole<Q extends ReadQuery>(query: Q): Promise<ReadResults[Q['type']]> {
    if (!this.#isWhole) await this.assertWhole()
    return this.read(query)
  }

  /** Reads what is left, and refuses nothing. */
  read<Q extends ReadQuery>(query: Q): Promise<ReadResults[Q['type']]> {
    const { store, stackId } = this.#ledger
    return store.read(stackId, query)
  }

  witnessed(): Promise<number> {
    return witnessedIn(this.#ledger.store)
  }

  /** A ledger must not begin where heads of another one were signed. */
  assertNoneSigned(): Promise<void> {
    return assertNoneSigned(this.#ledger.shelf)
  }

  async assertWhole(): Promise<void> {
    const seen = await this.witnessed() // before the head, which only grows
    const { tip, stack } = await this.read({ type: 'standing' })
    if (seen > tip.head.seq) throw entriesLost(seen, tip.head.seq)
    if (stack.uid === null) return this.#assertNeverBegun()
    this.#isWhole = true
  }

  /** Another process may have begun the ledger and signed its head between two looks. */
  async #assertNeverBegun(): Promise<void> {
    try {
      await this.assertNoneSigned()
    } catch (cause) {
      const { stack } = await this.read({ type: 'standing' })
      if (stack.uid === null) throw cause
    }
  }
}

const entriesLost = (head: number, last: number): MunimentError =>
  new MunimentError(
    'data_loss',
    `Entries are missing: entry ${head} was written, and the ledger ends at entry ${last}.`,
    {
      hint: 'Keep the files as they are, and restore a backup: muniment restore <copy> --replace. To go on with what is left, first move the file that ends in -head away.',
      facts: { head, last },
    },
  )
