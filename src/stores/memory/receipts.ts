import type { Instant } from '../../domain/time.ts'
import {
  type Forgotten,
  type IdempotentRequest,
  type KeptReceipt,
  RECEIPT_LIMITS,
  type Receipt,
  type Receipts,
  type ServedPrint,
} from '../../ports/receipts.ts'

/** Receipts of a stack in memory; they end with the process. */
export class MemoryReceipts implements Receipts {
  readonly #rowsMax: number
  #rows: readonly KeptReceipt[] = []
  readonly #asked = new Map<string, IdempotentRequest>()

  constructor({ rowsMax = RECEIPT_LIMITS.rowsMax }: { readonly rowsMax?: number } = {}) {
    this.#rowsMax = rowsMax
  }

  async record(receipts: readonly KeptReceipt[]): Promise<void> {
    this.#rows = [...this.#rows, ...receipts].slice(-this.#rowsMax)
  }

  async of(session: string, since: Instant): Promise<readonly Receipt[]> {
    return this.#since(session, since).map(({ receipt }) => receipt)
  }

  async told(session: string, since: Instant): Promise<readonly ServedPrint[]> {
    const told = new Map<string, ServedPrint>()
    for (const { receipt, print } of this.#since(session, since).toReversed()) {
      if (print === null || told.size === RECEIPT_LIMITS.toldMax) continue
      const key = `${receipt.ref} ${print.join()}`
      if (!told.has(key)) told.set(key, { ref: receipt.ref, print })
    }
    return [...told.values()]
  }

  /** The receipts of this process alone. */
  foreignChanges(): number {
    return 0
  }

  #since(session: string, since: Instant): readonly KeptReceipt[] {
    return this.#rows.filter(({ receipt }) => receipt.session === session && receipt.time >= since)
  }

  async all(): Promise<readonly KeptReceipt[]> {
    return this.#rows
  }

  async forget({ refs, actor }: Forgotten): Promise<void> {
    this.#asked.clear()
    const gone = new Set(refs)
    this.#rows = this.#rows.filter(
      ({ receipt }) => !gone.has(receipt.ref) && receipt.actor !== actor,
    )
  }

  async begin(
    asked: Omit<IdempotentRequest, 'answer'>,
    since: Instant,
  ): Promise<IdempotentRequest> {
    for (const [key, { at }] of this.#asked) if (at < since) this.#asked.delete(key)
    const row = this.#asked.get(asked.key) ?? { ...asked, answer: null }
    this.#asked.set(asked.key, row)
    return row
  }

  async answered(key: string, answer: string): Promise<void> {
    const row = this.#asked.get(key)
    if (row) this.#asked.set(key, { ...row, answer })
  }

  async drop(key: string): Promise<void> {
    this.#asked.delete(key)
  }

  async close(): Promise<void> {
    this.#rows = []
    this.#asked.clear()
  }
}
