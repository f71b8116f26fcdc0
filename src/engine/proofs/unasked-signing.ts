/** When heads are signed automatically. */
export interface SigningRule {
  /** Sign after this number of entries since the last head; 0 is never. */
  readonly every: number
  /** Sign when a process that wrote closes the stack. */
  readonly onClose: boolean
}

export const NEVER_UNASKED: SigningRule = { every: 0, onClose: false }
export const USUALLY: SigningRule = { every: 1_000, onClose: true }

/**
 * Signs heads as the ledger grows. A failed signature never fails a write: the next head covers the
 * entries, and `failure` keeps the reason until then.
 */
export class UnaskedSigning {
  readonly #rule: SigningRule
  readonly #sign: () => Promise<number>
  readonly #lastSize: () => Promise<number>
  #signed: number | null = null
  #hasGrown = false
  #size = 0
  #working: Promise<void> | null = null
  failure: unknown = null

  constructor(
    rule: SigningRule,
    how: {
      /** Signs the present head and returns its size. */
      readonly sign: () => Promise<number>
      readonly lastSize: () => Promise<number>
    },
  ) {
    this.#rule = rule
    this.#sign = how.sign
    this.#lastSize = how.lastSize
  }

  /** Called after a commit with the new length of the ledger. */
  grown(size: number): void {
    this.#hasGrown = true
    this.#size = size
    if (this.#rule.every === 0 || this.#working !== null) return
    if (this.#signed !== null && size - this.#signed < this.#rule.every) return
    this.#working = this.#whileDue().finally(() => {
      this.#working = null
    })
  }

  /** Repeats, because the ledger may grow past the next due head meanwhile. */
  async #whileDue(): Promise<void> {
    try {
      this.#signed ??= await this.#lastSize()
      while (this.#size - this.#signed >= this.#rule.every) this.#signed = await this.#sign()
      this.failure = null
    } catch (cause) {
      this.failure = cause
    }
  }

  /** Before the stack closes: waits for a running signature, and signs the last head. */
  async close(): Promise<void> {
    await this.#working
    if (!this.#rule.onClose || !this.#hasGrown) return
    try {
      this.#signed = await this.#sign()
    } catch (cause) {
      this.failure = cause
    }
  }
}
