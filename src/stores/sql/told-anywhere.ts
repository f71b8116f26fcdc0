import type { Instant } from '../../domain/time.ts'
import { RECEIPT_LIMITS, type Told, toldKey } from '../../ports/receipts.ts'
import { toldOf } from './receipt-rows.ts'
import type { SqlRow } from './values.ts'

interface Heard {
  readonly told: Told
  readonly id: number
  readonly time: Instant
}

/** What was served to anybody: words of memories, or words beside them, up to the receipt that was read last. */
export class ToldAnywhere {
  readonly #max: number
  /** The latest last. */
  readonly #heard = new Map<string, Heard>()
  #readUpTo = 0

  constructor(max: number) {
    this.#max = max
  }

  get readUpTo(): number {
    return this.#readUpTo
  }

  /** Rows of ref, print, beside, id and time, the latest first. */
  hear(rows: readonly SqlRow[]): void {
    for (const row of rows.toReversed()) {
      const [, , , id, time] = row
      this.#readUpTo = Number(id)
      for (const told of toldOf(row)) {
        const key = toldKey(told)
        this.#heard.delete(key)
        this.#heard.set(key, { told, id: Number(id), time: String(time) as Instant }) // written by `record`
      }
      const [oldest] = this.#heard.keys()
      if (this.#heard.size > this.#max && oldest !== undefined) this.#heard.delete(oldest)
    }
  }

  since(since: Instant): readonly Heard[] {
    return [...this.#heard.values()].filter(({ time }) => time >= since)
  }

  clear(): void {
    this.#heard.clear()
    this.#readUpTo = 0
  }
}

/** Words of memories and words beside them, in this order: neither makes room for the other. */
export const toldAnywhere = (): readonly [ToldAnywhere, ToldAnywhere] => [
  new ToldAnywhere(RECEIPT_LIMITS.toldAnywhereMax),
  new ToldAnywhere(RECEIPT_LIMITS.besideMax),
]

export const latestFirst = (heard: readonly Heard[]): readonly Told[] =>
  heard.toSorted((a, b) => b.id - a.id).map(({ told }) => told)
