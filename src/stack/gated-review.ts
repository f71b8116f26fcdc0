import type { ReviewItem } from './reviewing.ts'
import type { ReadBy } from './serving.ts'
import { gated, tierMinOf } from './use-gate.ts'
import type { Uses } from './uses.ts'

/** Words of the queue as far as the connection may read them; what waits, and why, is always shown. */
export async function gatedReview(
  uses: Pick<Uses, 'moment'>,
  items: readonly ReviewItem[],
  { caller }: ReadBy,
): Promise<readonly ReviewItem[]> {
  if (caller?.use === undefined) return items
  const { policy } = await uses.moment()
  const needed = tierMinOf(policy, { caller }, 0)
  return items.map((item) => ({
    ...item,
    memory: gated(item.memory, policy, { caller }),
    against: item.against.map((memory) => gated(memory, policy, { caller })),
    rewordings: item.rewordings.filter(({ tier }) => tier >= needed),
  }))
}
