import { CLOCK_LIMITS } from '../../domain/limits.ts'
import { toInstant } from '../../domain/time.ts'
import { clockJumpError } from '../../gate/commands/clock.ts'
import type { Clock } from '../../ports/world.ts'

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
