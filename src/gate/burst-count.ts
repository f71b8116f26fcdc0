import type { Policy } from '../domain/policy.ts'
import type { Burst } from '../domain/state.ts'
import { type Instant, toMs } from '../domain/time.ts'

/** More than the threshold, all inside one window. */
export function isBurst(
  { times }: Pick<Burst, 'times'>,
  { numbers }: Pick<Policy, 'numbers'>,
): boolean {
  const { quarantineBurstThreshold, burstWindowMs } = numbers
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return false
  return times.length > quarantineBurstThreshold && toMs(last) - toMs(first) <= burstWindowMs
}

/** Whether one word more makes a burst now. */
export function isBurstAt(
  burst: Burst | undefined,
  { policy, time }: { readonly policy: Pick<Policy, 'numbers'>; readonly time: Instant },
): boolean {
  const count = policy.numbers.quarantineBurstThreshold + 1
  return isBurst({ times: [...(burst?.times ?? []), time].slice(-count) }, policy)
}
