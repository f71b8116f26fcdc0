import { type Instant, toMs } from '../../domain/time.ts'
import type { EntryPointer } from '../../domain/write.ts'
import { type ClockFault, clockFault } from '../../gate/commands/clock.ts'
import type { Engine } from '../engine.ts'

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
