import type { Instant } from '../../domain/time.ts'
import { RECEIPT_LIMITS, type Receipt, type Receipts } from '../../ports/receipts.ts'

/** Receipts of a stack that lives and dies with the process. */
export class MemoryReceipts implements Receipts {
  readonly #rowsMax: number
  #rows: readonly Receipt[] = []

  constructor({ rowsMax = RECEIPT_LIMITS.rowsMax }: { readonly rowsMax?: number } = {}) {
    this.#rowsMax = rowsMax
  }

  async record(receipts: readonly Receipt[]): Promise<void> {
    this.#rows = [...this.#rows, ...receipts].slice(-this.#rowsMax)
  }

  async of(session: string, since: Instant): Promise<readonly Receipt[]> {
    return this.#rows.filter((row) => row.session === session && row.time >= since)
  }

  async forget({ refs, actor }: Parameters<Receipts['forget']>[0]): Promise<void> {
    const gone = new Set(refs)
    this.#rows = this.#rows.filter((row) => !gone.has(row.ref) && row.actor !== actor)
  }

  async close(): Promise<void> {
    this.#rows = []
  }
}
