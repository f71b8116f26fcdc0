import { CLOCK_LIMITS } from '../../domain/limits.ts'
import { type Instant, toInstant, toMs } from '../../domain/time.ts'
import type { EntryPointer } from '../../domain/write.ts'
import { type ClockFault, clockFault, clockJumpError } from '../../gate/commands/clock.ts'
import type { Clock } from '../../ports/world.ts'
import type { Engine } from '../engine.ts'

/**
 * Finds a clock that was set far ahead while the process ran. The gate cannot see such a jump,
 * because a stack may have been unused for months. The steady time since the machine started shows
 * the jump, because setting the clock does not change the steady time.
 */
export class ClockWatch {
  readonly #clock: Clock
  #start: { readonly wallMs: number; readonly steadyMs: number } | null = null
  #lastMs = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.confirm()
  }

  /** Takes the clock as right from now on: at the start, and after a person's confirmation. */
  confirm(): void {
    const wallMs = this.#clock.now()
    const steadyMs = this.#clock.steady?.()
    this.#start = steadyMs === undefined ? null : { wallMs, steadyMs }
    this.#lastMs = wallMs
  }

  /**
   * Throws where the clock was set ahead by more than `clockJumpMsMax` since the last confirmation.
   */
  check(): void {
    const wallMs = this.#clock.now()
    // The steady time is read only after a possible jump, because reading costs a system call.
    if (this.#start !== null && wallMs - this.#lastMs > CLOCK_LIMITS.clockJumpMsMax) {
      const steadyMs = (this.#clock.steady?.() ?? 0) - this.#start.steadyMs
      const jumpMs = wallMs - this.#start.wallMs - steadyMs
      if (jumpMs > CLOCK_LIMITS.clockJumpMsMax) throw clockJumpError(toInstant(wallMs), jumpMs)
    }
    this.#lastMs = wallMs
  }
}

/** The clock of this machine beside the last entry of the ledger. */
export interface ClockStatus {
  readonly now: Instant
  /** The time of the last entry; null in an empty ledger. */
  readonly last: Instant | null
  /** Milliseconds from this clock's time to a last entry in its future; otherwise 0. */
  readonly aheadMs: number
  /** The reason why this clock blocks writes; null while writes work. */
  readonly fault: ClockFault | null
}

export interface ClockCorrection extends ClockStatus {
  /** The correcting entry; null without a need for correction. */
  readonly entry: EntryPointer | null
}

export async function clockStatus({
  read,
  now,
}: Pick<Engine, 'read' | 'now'>): Promise<ClockStatus> {
  const { tip } = await read({ type: 'standing' })
  return statusOf(now(), tip.time)
}

export function statusOf(reading: Instant, last: Instant | null): ClockStatus {
  const aheadMs = last === null ? 0 : Math.max(0, toMs(last) - toMs(reading))
  return { now: reading, last, aheadMs, fault: clockFault(reading, last) }
}
