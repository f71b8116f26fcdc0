import type { Uses } from '../engine.ts'
import type { ReadBy } from '../read/served.ts'
import { gated, tierMinOf } from '../read/use-gate.ts'
import type { Wish } from './proposals.ts'
import type { ReviewItem } from './review.ts'

/** A proposal says what shall change; the words given for the change are its author's. */
const withoutWords = (wish: Wish): Wish => ({ ...wish, text: null, tags: null, fields: null })

/** Words of the queue as far as the connection may read them; what waits, and why, is always shown. */
export async function gatedReview(
  uses: Pick<Uses, 'moment'>,
  items: readonly ReviewItem[],
  { caller }: ReadBy,
): Promise<readonly ReviewItem[]> {
  if (caller?.use === undefined) return items
  const { policy } = await uses.moment()
  const needed = tierMinOf(policy, { caller }, 0)
  const readable = (wish: Wish): Wish => (wish.tier < needed ? withoutWords(wish) : wish)
  return items.map((item) => ({
    ...item,
    memory: gated(item.memory, policy, { caller }),
    against: item.against.map((memory) => gated(memory, policy, { caller })),
    wish: item.wish && readable(item.wish),
    wishes: item.wishes.map(readable),
  }))
}
