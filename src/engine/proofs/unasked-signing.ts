/** When heads are signed without being asked for. */
export interface SigningRule {
  /** After so many entries since the last head; 0 is never. */
  readonly every: number
  /** When the stack is closed by somebody who wrote to it. */
  readonly onClose: boolean
}

export const NEVER_UNASKED: SigningRule = { every: 0, onClose: false }
export const USUALLY: SigningRule = { every: 1_000, onClose: true }

/**
 * Signs heads as the ledger grows. A head that cannot be signed costs nobody a write: it is signed
 * with the next one, and until then `failure` says why.
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
      /** Signs the head as it stands and says how many entries it covers. */
      readonly sign: () => Promise<number>
      readonly lastSize: () => Promise<number>
    },
  ) {
    this.#rule = rule
    this.#sign = how.sign
    this.#lastSize = how.lastSize
  }

  /** Entries were committed here, and the ledger is now so long. */
  grown(size: number): void {
    this.#hasGrown = true
    this.#size = size
    if (this.#rule.every === 0 || this.#working !== null) return
    if (this.#signed !== null && size - this.#signed < this.#rule.every) return
    this.#working = this.#whileDue().finally(() => {
      this.#working = null
    })
  }

  /** The ledger may grow on meanwhile: what is due by then is signed too. */
  async #whileDue(): Promise<void> {
    try {
      this.#signed ??= await this.#lastSize()
      while (this.#size - this.#signed >= this.#rule.every) this.#signed = await this.#sign()
      this.failure = null
    } catch (cause) {
      this.failure = cause
    }
  }

  /** Before the stack is closed: lets what is under way end, and signs what is not signed. */
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
