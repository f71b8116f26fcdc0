const WAIT_MS_MAX = 5
const QUIET_TURNS = 3 // one lets a connection in, the next what is asked on it

/**
 * Whoever writes waits for the others who are at the door already. A commit holds up everything else
 * in this process, and a turn of its loop lets in one new connection: taken one by one, each caller
 * would pay for a commit of its own. Where nobody else is coming, nobody waits.
 */
export class Tide {
  #next: Promise<void> | null = null
  #arrived = 0

  /** Somebody came to the door. */
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
