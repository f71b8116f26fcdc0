import type { Overview } from '../../../engine/read/overview.ts'
import type { Page } from './page.ts'
import { table } from './table.ts'
import { age, grouped, plural } from './words.ts'

const named = (counts: Readonly<Record<string, number>>, name = (each: string) => each): string =>
  Object.entries(counts)
    .map(([each, count]) => `${name(each)} ${grouped(count)}`)
    .join(', ')

/** The state of the stack, one line for each part. */
export function overviewPage(
  { total, head, lately, review }: Overview,
  { now }: Page,
): readonly string[] {
  if (head === null) return ['Nothing is written here yet. Try: muniment note "…"']
  const waits = `${review.total}${review.hasMore ? ' and more' : ''}`
  const rows = [
    ['memories', grouped(total)],
    ['ledger', `entry ${head.seq}, ${age(head.time, now)}`],
    ['lately', `${plural(lately.memories, 'memory', 'memories')} in ${lately.entries} entries`],
    ['', named(lately.kinds)],
    ['', named(lately.labels)],
    ['', named(lately.tiers, (tier) => `tier ${tier}:`)],
    ['', named(lately.strengths)],
    ['waiting', review.total === 0 ? 'nothing' : `${waits}: ${named(review.kinds)}`],
  ]
  return table(rows.map((row) => row.map((text) => ({ text }))))
}
