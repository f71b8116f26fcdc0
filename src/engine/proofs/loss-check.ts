import { MunimentError } from '../../domain/errors.ts'
import type { StackId } from '../../domain/ids.ts'
import type { StackState } from '../../domain/state.ts'
import type { Head } from '../../domain/waist.ts'
import { originOf } from '../../ledger/checkpoint.ts'
import type { CheckpointShelf } from '../../ports/signer.ts'
import type { Answer, ReadQuery, Store } from '../../ports/store.ts'
import { lastHead, lossAgainst } from './signed-here.ts'

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
  async readWhole<Q extends ReadQuery>(query: Q): Promise<Answer<Q>> {
    if (!this.#isWhole) await this.assertWhole()
    return this.read(query)
  }

  /** Reads what is left, and refuses nothing. */
  read<Q extends ReadQuery>(query: Q): Promise<Answer<Q>> {
    const { store, stackId } = this.#ledger
    return store.read(stackId, query)
  }

  witnessed(): Promise<number> {
    return witnessedIn(this.#ledger.store)
  }

  /** Says whether every entry that was witnessed or signed is there. */
  async isWhole(): Promise<boolean> {
    try {
      await this.assertWhole()
      return true
    } catch (cause) {
      if (cause instanceof MunimentError && cause.code === 'data_loss') return false
      throw cause
    }
  }

  async assertWhole(): Promise<void> {
    const seen = await this.witnessed() // before the head, which only grows
    const { tip, stack } = await this.read({ type: 'standing' })
    if (seen > tip.head.seq) throw entriesLost(seen, tip.head.seq)
    await this.assertSigned({ stack, head: tip.head })
    if (stack.uid !== null) this.#isWhole = true
  }

  /** A write must not continue a ledger that ends before a head that was signed. */
  async assertSigned({ stack, head }: Standing): Promise<void> {
    const { shelf, stackId } = this.#ledger
    if (this.#isWhole || shelf === undefined) return
    const origin = stack.uid === null ? null : originOf(stack.uid, stackId)
    const signed = await lastHead(shelf, origin)
    if (lossAgainst(signed, { stackId, uid: stack.uid, seq: head.seq }) === null) return
    // Another process may have written and signed between two looks: the ledger is read once more.
    const now = await this.read({ type: 'standing' })
    const loss = lossAgainst(signed, { stackId, uid: now.stack.uid, seq: now.tip.head.seq })
    if (loss !== null) throw loss
  }
}

interface Standing {
  readonly stack: Pick<StackState, 'uid'>
  readonly head: Pick<Head, 'seq'>
}

const entriesLost = (head: number, last: number): MunimentError =>
  last < 0 ? allLost(head) : someLost(head, last)

const allLost = (head: number): MunimentError =>
  new MunimentError(
    'data_loss',
    'The file of this stack is empty, and entries were written to it.',
    {
      hint: 'Nothing is read or written here. Restore a backup: muniment restore <copy> --replace. To begin a new stack instead, first remove the empty file.',
      facts: { head, last: -1 },
    },
  )

const someLost = (head: number, last: number): MunimentError =>
  new MunimentError(
    'data_loss',
    `Entries are missing: entry ${head} was written, and the ledger ends at entry ${last}.`,
    {
      hint: 'Keep the files as they are, and restore a backup: muniment restore <copy> --replace. To go on with what is left, first move the file that ends in -head away.',
      facts: { head, last },
    },
  )
