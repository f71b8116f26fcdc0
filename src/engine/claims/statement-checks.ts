import type { Ref } from '../../domain/ids.ts'
import type { Timer } from '../../ports/world.ts'
import type { Engine, StatementCheck } from '../engine.ts'
import { noteContradictions } from './contradictions.ts'
import { linkReplaced } from './replacement-links.ts'

const QUIET_MS = 100 // writes come first: checks begin when no statement came for so long
const PENDING_MAX = 512 // checks that wait; beyond, each write pays for one of them

/**
 * Checks new statements after the answer to their write. A read that shows links or contradictions
 * first waits for the pending checks, and so does closing; a killed process leaves them undone.
 */
export class StatementChecks {
  readonly #engine: Engine
  readonly #timer: Timer
  readonly #pending = new Map<Ref, StatementCheck>()
  #running: Promise<void> | null = null
  #cancel: (() => void) | null = null

  constructor(engine: Engine, timer: Timer) {
    this.#engine = engine
    this.#timer = timer
  }

  async add(ref: Ref, check: StatementCheck): Promise<void> {
    if (this.#pending.get(ref) !== 'contradictions') this.#pending.set(ref, check)
    this.#wait(QUIET_MS)
    if (this.#pending.size > PENDING_MAX) await this.#one()
  }

  /** Returns when every check of an answered write is done. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0 || this.#running !== null) await this.#one()
  }

  /** A write between two checks begins the wait anew. */
  #wait(ms: number): void {
    this.#cancel?.()
    this.#cancel = this.#timer(ms, () => {
      this.#cancel = null
      void this.#one().then(() => {
        if (this.#pending.size > 0 && this.#cancel === null) this.#wait(0)
      })
    })
  }

  async #one(): Promise<void> {
    this.#running ??= this.#check().finally(() => {
      this.#running = null
    })
    await this.#running
  }

  async #check(): Promise<void> {
    const [next] = this.#pending
    if (next === undefined) return
    const [ref, check] = next
    this.#pending.delete(ref)
    try {
      if (check === 'replacements') await linkReplaced(this.#engine, ref, { onlyChanges: true })
      else await noteContradictions(this.#engine, ref)
    } catch {
      // The memory is saved: a check that fails takes nothing from the write, and rows that cannot
      // be read are reported by the next read of them.
    }
    if (this.#pending.size > 0) return
    this.#cancel?.()
    this.#cancel = null
  }
}
