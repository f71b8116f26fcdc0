import { DAY_MS, type Instant, isInstant, toInstant, toMs } from '../../domain/time.ts'
import { wrong } from '../write/arguments.ts'

/** Range of writing times: days, or times to the millisecond; both ends count. */
export interface LearntBetween {
  readonly since?: string
  readonly until?: string
}

const START_OF_DAY = 'T00:00:00.000Z'
const A_TIME = 'a day, 2026-01-31, or a time, 2026-01-31T12:00:00.000Z'

interface Moment {
  readonly at: Instant
  /** Length of the named time: a day or a millisecond. */
  readonly lastsMs: number
}

function momentOf(field: string, text: unknown): Moment {
  if (isInstant(text)) return { at: text, lastsMs: 1 }
  const start = typeof text === 'string' ? text + START_OF_DAY : null
  if (isInstant(start)) return { at: start, lastsMs: DAY_MS }
  throw wrong(field, A_TIME)
}

/** The range for a store: from the first moment on, and before the last. */
export function learntRange({ since, until }: LearntBetween): {
  readonly bornFrom?: Instant
  readonly bornBefore?: Instant
} {
  const last = until === undefined ? null : momentOf('until', until)
  return {
    ...(since === undefined ? {} : { bornFrom: momentOf('since', since).at }),
    ...(last === null ? {} : { bornBefore: toInstant(toMs(last.at) + last.lastsMs) }),
  }
}

export function isLearntBetween(bornAt: Instant, range: LearntBetween): boolean {
  const { bornFrom, bornBefore } = learntRange(range)
  return (
    (bornFrom === undefined || bornAt >= bornFrom) &&
    (bornBefore === undefined || bornAt < bornBefore)
  )
}
