import type { EntryPointer } from '../../domain/outcome.ts'
import { type Instant, toMs } from '../../domain/time.ts'
import { type ClockFault, clockFault } from '../../gate/commands/clock.ts'
import type { Uses } from '../engine.ts'

/** The clock of this machine beside the last entry of the ledger. */
export interface ClockStatus {
  readonly now: Instant
  /** The time of the last entry; null where nothing was written. */
  readonly last: Instant | null
  /** How far the last entry lies in the future of this clock, in milliseconds; 0 where it does not. */
  readonly aheadMs: number
  /** Why nothing can be written with this clock; null where writing goes on. */
  readonly fault: ClockFault | null
}

export interface ClockCorrection extends ClockStatus {
  /** The entry that corrected the clock; null where there was nothing to correct. */
  readonly entry: EntryPointer | null
}

export async function clockStatus({ read, now }: Pick<Uses, 'read' | 'now'>): Promise<ClockStatus> {
  const { tip } = await read({ type: 'standing' })
  return statusOf(now(), tip.time)
}

export function statusOf(reading: Instant, last: Instant | null): ClockStatus {
  const aheadMs = last === null ? 0 : Math.max(0, toMs(last) - toMs(reading))
  return { now: reading, last, aheadMs, fault: clockFault(reading, last) }
}
