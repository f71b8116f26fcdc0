const PATIENCE_MS = 5_000 // for an answer that never comes, as after the machine slept

/** Asks one thing at a time, and of those that come meanwhile the last. */
export class Pace {
  #underWay: Promise<unknown> = Promise.resolve()
  #call: AbortController | null = null

  ask(isWanted: () => boolean, work: (signal: AbortSignal) => Promise<void>): void {
    const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
    this.#underWay = Promise.race([this.#underWay, patience]).then(() => {
      if (!isWanted()) return
      this.#call?.abort() // it is done, or was waited for long enough
      this.#call = new AbortController()
      return work(this.#call.signal)
    })
  }

  end(): void {
    this.#call?.abort()
  }
}
