const WAIT_MS_MAX = 5
const QUIET_TURNS = 3 // one turn lets a connection in, the next its request

/**
 * Batches writes: each writer waits for requests already arriving. A commit blocks this process,
 * and a turn of the event loop accepts only one new connection: without batching, each caller would
 * pay for a separate commit. With no other request arriving, nobody waits.
 */
export class WriteBatcher {
  #next: Promise<void> | null = null
  #arrived = 0

  arrived(): void {
    this.#arrived += 1
  }

  turn(): Promise<void> {
    this.arrived()
    this.#next ??= new Promise((resolve) => {
      const until = performance.now() + WAIT_MS_MAX
      let seen = this.#arrived
      let quiet = 0
      const look = (): void => {
        quiet = this.#arrived === seen ? quiet + 1 : 0
        seen = this.#arrived
        if (quiet < QUIET_TURNS && performance.now() < until) {
          setImmediate(look)
          return
        }
        this.#next = null
        resolve()
      }
      setImmediate(look)
    })
    return this.#next
  }
}
