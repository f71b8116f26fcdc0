import { DAY_MS } from '../../../domain/time.ts'
import type { ClockCorrection, ClockStatus } from '../../../engine/write/clock-status.ts'
import { plural } from './words.ts'

/** Clocks of two machines may differ by this much without a fault. */
const SKEW_MS = 60_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

export const isInFuture = ({ aheadMs }: ClockStatus): boolean => aheadMs > SKEW_MS

/** A duration in its largest unit. */
export function stretchOf(ms: number): string {
  if (ms >= 2 * DAY_MS) return plural(Math.floor(ms / DAY_MS), 'day')
  if (ms >= 2 * HOUR_MS) return plural(Math.floor(ms / HOUR_MS), 'hour')
  return plural(Math.floor(ms / MINUTE_MS), 'minute')
}

export const CORRECT_HINT =
  'If this clock is wrong, set it. If it is right, a person corrects the stack: muniment clock --correct'

/** Compares the last entry's time with the clock, in a sentence. */
export function clockSentence(status: ClockStatus): string {
  const { last, now, aheadMs, fault } = status
  if (last === null) return 'Nothing was written yet.'
  if (isInFuture(status)) {
    const effect = fault === null ? '' : '; nothing can be written'
    return `The last entry is dated ${last}, ${stretchOf(aheadMs)} in the future of this clock${effect}.`
  }
  if (fault === 'ahead') {
    return `The clock reads ${now}, years after the last entry (${last}); nothing can be written.`
  }
  return `The clock agrees with the last entry (${last}).`
}

export function clockPage(status: ClockCorrection): readonly string[] {
  const { now, last, entry } = status
  if (entry !== null) {
    return [
      `Corrected in entry ${entry.seq}: the clock is right, and times follow it again.`,
      `  from ${last} to ${now}; what was dated before keeps its dates`,
    ]
  }
  const isWrong = isInFuture(status) || status.fault !== null
  return [clockSentence(status), ...(isWrong ? [`  ${CORRECT_HINT}`] : [])]
}
