/** What a run, or a day, may cost at most. */
export interface Budget {
  readonly calls: number
  readonly tokens: number
}

const encoder = new TextEncoder()
const ROLE_TOKENS = 64 // what providers put around a prompt

/** No token is shorter than a byte: what a text costs at most, whatever cuts it into tokens. */
export const tokensAtMost = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + encoder.encode(text).length, ROLE_TOKENS)

/** What is spent against a budget. A call is paid for before it is made, at its highest price. */
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

  /** Takes the price of one call, or nothing. */
  take(tokens: number): boolean {
    const { budget } = this
    if (this.#calls + 1 > budget.calls || this.#tokens + tokens > budget.tokens) return false
    this.#calls += 1
    this.#tokens += tokens
    return true
  }

  /** A call that was not made after all. */
  giveBack(tokens: number): void {
    this.#calls -= 1
    this.#tokens -= tokens
  }

  /** Gives back what a call did not cost; one that cost more is charged in full. */
  settle(taken: number, cost: number): void {
    this.#tokens += cost - taken
  }
}
