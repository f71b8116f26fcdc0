/** Writers of one process, one after the other, in the order in which they came. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => undefined)
    return mine
  }

  /** Settles when everyone who has come so far is done. */
  async idle(): Promise<void> {
    await this.#last
  }
}
