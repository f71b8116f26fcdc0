import type { Instant } from '../../domain/time.ts'
import {
  type KeptReceipt,
  RECEIPT_LIMITS,
  type Receipts,
  type ServedPrint,
} from '../../ports/receipts.ts'
import { KnownPrints } from '../../recall/embed/known-prints.ts'

interface Cached {
  readonly prints: KnownPrints<ServedPrint>
  readonly day: string
  readonly changes: number
}

const SESSIONS_MAX = 64 // sessions whose prints stay in memory, the latest ones

/**
 * Prints of the words served to each session. They are read from the receipts once, and again when
 * another process changed the receipts or a day has passed.
 */
export class SessionPrints {
  readonly #receipts: Receipts | null
  readonly #sessions = new Map<string, Cached>()
  #recorded = 0

  constructor(receipts: Receipts | null) {
    this.#receipts = receipts
  }

  async of(session: string, since: Instant): Promise<KnownPrints<ServedPrint>> {
    const day = since.slice(0, 10)
    const changes = this.#receipts?.foreignChanges?.()
    const cached = this.#sessions.get(session)
    this.#sessions.delete(session)
    if (cached !== undefined && cached.changes === changes && cached.day === day) {
      this.#sessions.set(session, cached)
      return cached.prints
    }
    const recorded = this.#recorded
    const latestFirst = (await this.#receipts?.told(session, since)) ?? []
    const prints = new KnownPrints(RECEIPT_LIMITS.toldMax, latestFirst.toReversed())
    // A receipt that was recorded meanwhile may be missing.
    if (changes === undefined || recorded !== this.#recorded) return prints
    this.#sessions.set(session, { prints, day, changes })
    for (const [oldest] of this.#sessions) {
      if (this.#sessions.size <= SESSIONS_MAX) break
      this.#sessions.delete(oldest)
    }
    return prints
  }

  /** Receipts of this process, once they are recorded. */
  add(rows: readonly KeptReceipt[]): void {
    this.#recorded += rows.length
    for (const { receipt, print } of rows) {
      if (print === null) continue
      this.#sessions.get(receipt.session)?.prints.add({ ref: receipt.ref, print })
    }
  }

  /** The prints may be of erased words. */
  clear(): void {
    this.#sessions.clear()
  }
}
