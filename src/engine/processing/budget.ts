/** The highest cost of a run or a day. */
export interface Budget {
  readonly calls: number
  readonly tokens: number
}

const encoder = new TextEncoder()
const ROLE_TOKENS = 64 // overhead of providers around a prompt

/** Upper bound of tokens for any tokenizer: no token is shorter than a byte. */
export const tokensAtMost = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + encoder.encode(text).length, ROLE_TOKENS)

/** The spending against a budget. A call is paid at its highest price before the call. */
export class Purse {
  readonly budget: Budget
  #calls = 0
  #tokens = 0

  constructor(budget: Budget) {
    this.budget = budget
  }

  get spent(): Budget {
    return { calls: this.#calls, tokens: this.#tokens }
  }

  /** Takes the price of one call; false when the budget is too small. */
  take(tokens: number): boolean {
    const { budget } = this
    if (this.#calls + 1 > budget.calls || this.#tokens + tokens > budget.tokens) return false
    this.#calls += 1
    this.#tokens += tokens
    return true
  }

  /** Refunds a call that was not made. */
  giveBack(tokens: number): void {
    this.#calls -= 1
    this.#tokens -= tokens
  }

  /** Replaces the price of a call by its cost; a higher cost is charged in full. */
  settle(taken: number, cost: number): void {
    this.#tokens += cost - taken
  }
}
