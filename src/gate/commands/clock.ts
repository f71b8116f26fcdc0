import type { Entry } from '../../domain/entry.ts'
import { MunimentError } from '../../domain/errors.ts'
import { CLOCK_LIMITS } from '../../domain/limits.ts'
import { DAY_MS, type Instant, toMs } from '../../domain/time.ts'
import type { Command } from '../../domain/write.ts'

/**
 * A clock that is far off dates everything after it: entry times never fall. So a reading is
 * compared with the last entry. A reading a day before the last entry means that either the clock
 * or the ledger is wrong; a reading nine years after is more likely a wrong clock than a forgotten
 * stack. A person decides, with a clock correction.
 */
export type ClockFault = 'behind' | 'ahead'

/** Null where a reading may date the entry after one of the time `last`. */
export function clockFault(reading: Instant, last: Instant | null): ClockFault | null {
  if (last === null) return null
  const aheadMs = toMs(reading) - toMs(last)
  if (-aheadMs > CLOCK_LIMITS.clockBehindMsMax) return 'behind'
  return aheadMs > CLOCK_LIMITS.clockAheadMsMax ? 'ahead' : null
}

/** The reading, or the previous entry's time where the clock is behind or far off. */
export const entryTime = (reading: Instant, last: Instant | null): Instant =>
  last === null || (reading > last && clockFault(reading, last) === null) ? reading : last

/** Time falls at a clock correction alone. */
export const isInTime = ({ op, time }: Pick<Entry, 'op' | 'time'>, last: Instant | null): boolean =>
  last === null || time >= last || op === 'clock.corrected'

/**
 * Commands that a wrong clock stops. Erasing goes on, since a right to erasure waits for no clock,
 * and so does housekeeping: their entries bear the time of the previous entry (`Desk.timeOf`).
 */
const DATED: ReadonlySet<Command['type']> = new Set<Command['type']>([
  'write',
  'change',
  'distrust',
  'policy',
  'state',
  'release',
  'reject',
  'readmit',
])

export const isDated = (type: Command['type']): boolean => DATED.has(type)

const HINT =
  'If the clock is wrong, set it. If it is right, a person corrects the stack: muniment stack clock --correct'

export function clockError(fault: ClockFault, reading: Instant, last: Instant): MunimentError {
  const days = Math.floor(Math.abs(toMs(reading) - toMs(last)) / DAY_MS)
  const far = `${days} days ${fault === 'behind' ? 'before' : 'after'}`
  return new MunimentError(
    'clock_implausible',
    `Not saved: the clock reads ${reading}, ${far} the last entry of the stack (${last}).`,
    {
      hint: HINT,
      facts: { reading, last, limit: fault === 'behind' ? 'clockBehindMsMax' : 'clockAheadMsMax' },
    },
  )
}

/** A clock set ahead while the process ran, measured against the time since the machine started. */
export const clockJumpError = (reading: Instant, jumpMs: number): MunimentError =>
  new MunimentError(
    'clock_implausible',
    `Not saved: the clock was set ${Math.floor(jumpMs / DAY_MS)} days ahead since the last write; it reads ${reading}.`,
    {
      hint: 'If the clock is wrong, set it. If it is right, restart this process, or let a person confirm it there: the operation clock with correct, stack.health.correctClock() in the library.',
      facts: { reading, jumpMs, limit: 'clockJumpMsMax' },
    },
  )
