import type { Policy } from '../domain/policy.ts'
import type { Burst } from '../domain/state.ts'
import { type Instant, toMs } from '../domain/time.ts'

export const isBurst = (
  { times }: Pick<Burst, 'times'>,
  policy: Pick<Policy, 'numbers'>,
): boolean => isMoreThan(policy.numbers.quarantineBurstThreshold, times, policy)

/** Already true at half the threshold of a burst, with the write at `time` counted. */
export function isFloodAt(
  burst: Burst | undefined,
  { policy, time }: { readonly policy: Pick<Policy, 'numbers'>; readonly time: Instant },
): boolean {
  const half = Math.max(1, Math.floor(policy.numbers.quarantineBurstThreshold / 2))
  return isMoreThan(half, [...(burst?.times ?? []), time].slice(-half - 1), policy)
}

function isMoreThan(
  most: number,
  times: readonly Instant[],
  { numbers }: Pick<Policy, 'numbers'>,
): boolean {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || times.length <= most) return false
  return toMs(last) - toMs(first) <= numbers.burstWindowMs
}
