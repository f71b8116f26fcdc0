import type { Engine } from '../engine.ts'
import type { ReadBy } from '../read/served.ts'
import { gated, tierMinOf } from '../read/use-gate.ts'
import type { ChangeProposal } from './proposals.ts'
import type { ReviewItem } from './review.ts'

/** The proposal without the author's words. */
const withoutWords = (wish: ChangeProposal): ChangeProposal => ({
  ...wish,
  text: null,
  tags: null,
  fields: null,
})

/** Withholds words above the connection's rights; every item and reason stays visible. */
export async function gatedReview(
  engine: Pick<Engine, 'moment'>,
  items: readonly ReviewItem[],
  { caller }: ReadBy,
): Promise<readonly ReviewItem[]> {
  if (caller?.use === undefined) return items
  const { policy } = await engine.moment()
  const needed = tierMinOf(policy, { caller }, 0)
  const readable = (wish: ChangeProposal): ChangeProposal =>
    wish.tier < needed ? withoutWords(wish) : wish
  return items.map((item) => ({
    ...item,
    memory: gated(item.memory, policy, { caller }),
    against: item.against.map((memory) => gated(memory, policy, { caller })),
    wish: item.wish && readable(item.wish),
    wishes: item.wishes.map(readable),
  }))
}
