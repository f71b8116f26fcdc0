import type { Timer } from '../../ports/world.ts'
import type { Engine } from '../engine.ts'
import { finishErasures } from './erase.ts'

const FIRST_MS = 1_000 // a program of one command has ended by then
const LAST_MS = 60_000

/**
 * Cleans files after pending erasures in the background, and tries again while another process is
 * in the way. Reads and the opening of a stack never wait for this work.
 */
export class ScrubRetry {
  readonly #engine: Engine
  readonly #timer: Timer
  #cancel: (() => void) | null = null
  #running: Promise<void> | null = null
  #isClosed = false

  constructor(engine: Engine, timer: Timer) {
    this.#engine = engine
    this.#timer = timer
  }

  schedule(ms = FIRST_MS): void {
    if (this.#isClosed || this.#cancel !== null || this.#running !== null) return
    this.#cancel = this.#timer(ms, () => {
      this.#cancel = null
      this.#running = this.#run(ms).finally(() => {
        this.#running = null
      })
    })
  }

  async #run(ms: number): Promise<void> {
    const isClean = await finishErasures(this.#engine).then(
      ({ entries }) => entries === 0,
      () => false, // the store does not answer
    )
    if (isClean) return
    this.#running = null
    this.schedule(Math.min(ms * 2, LAST_MS))
  }

  /** Lets running work end; erasures that still wait are finished by the next process. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancel?.()
    await this.#running
  }
}
