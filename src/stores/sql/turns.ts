/** Runs the writers of one process one at a time, in order of arrival. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => undefined)
    return mine
  }

  /** Settles when all work queued so far is done. */
  async idle(): Promise<void> {
    await this.#last
  }
}
