import type { PgClient, PgDriver } from './driver.ts'

/**
 * Leases of connections. Writers may wait for each other while holding connections, so one
 * connection stays reserved for readers, who never wait for a writer.
 */
export class Leases {
  readonly #driver: PgDriver
  readonly #writersMax: number
  readonly #waiting: (() => void)[] = []
  #writers = 0
  #out = 0
  #idle: (() => void)[] = []

  constructor(driver: PgDriver) {
    this.#driver = driver
    this.#writersMax = Math.max(1, driver.size - 1)
  }

  async take(mode: 'read' | 'write'): Promise<PgClient> {
    if (mode === 'write') await this.#turn()
    this.#out += 1
    const back = (): void => {
      this.#out -= 1
      if (mode === 'write') this.#next()
      if (this.#out > 0) return
      for (const tell of this.#idle) tell()
      this.#idle = []
    }
    try {
      return returning(await this.#driver.connect(), back)
    } catch (cause) {
      back()
      throw cause
    }
  }

  #turn(): Promise<void> | void {
    if (this.#writers < this.#writersMax) {
      this.#writers += 1
      return
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  /** The next lease goes to the longest waiter. */
  #next(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#writers -= 1
  }

  /** Settles when all connections are returned. */
  async idle(): Promise<void> {
    if (this.#out === 0) return
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve)
    })
  }
}

/** Returned once, by the first caller. */
function returning(client: PgClient, back: () => void): PgClient {
  let isOut = true
  const once = (letGo: () => void): void => {
    if (!isOut) return
    isOut = false
    letGo()
    back()
  }
  return {
    query: (sql, values) => client.query(sql, values),
    exec: (sql) => client.exec(sql),
    leave: (end) => once(() => client.leave(end)),
    release: (state) => once(() => client.release(state)),
  }
}
