import type { Tier } from '../../domain/doors.ts'
import type { Ref } from '../../domain/ids.ts'

/** The part of a memory that decides its group and the head of the group. */
interface Linked {
  readonly ref: Ref
  readonly rewordingOf: Ref | null
  readonly tier: Tier
}

/** Memories with one meaning in several wordings, which share one place. */
export interface RewordingGroup<Item> {
  /** The memory of the highest tier; among equals the original, then the first. */
  readonly head: Item
  /** The other members among the items. */
  readonly rewordings: readonly Item[]
}

export const groupKey = ({ ref, rewordingOf }: Pick<Linked, 'ref' | 'rewordingOf'>): Ref =>
  rewordingOf ?? ref

/** One group for each key, in the order of the first member. */
export function groupsOf<Item>(
  items: readonly Item[],
  linkOf: (item: Item) => Linked,
  keyOf: (item: Item) => string = (item) => groupKey(linkOf(item)),
): readonly RewordingGroup<Item>[] {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const known = groups.get(keyOf(item))
    if (known) known.push(item)
    else groups.set(keyOf(item), [item])
  }
  return [...groups.values()].map((members) => {
    const head = members.reduce((best, each) => (isAhead(linkOf(each), linkOf(best)) ? each : best))
    return { head, rewordings: members.filter((each) => each !== head) }
  })
}

/** True if the first memory heads a group before the second. */
export const isAhead = (one: Linked, other: Linked): boolean =>
  one.tier > other.tier ||
  (one.tier === other.tier && one.rewordingOf === null && other.rewordingOf !== null)

export const ROWS_MAX = 2_000 // rows that one read scans to fill its places
const REFS_MAX = 100 // rewordings that a place names; the count covers all

/** The number of rewordings behind a head and their refs; empty without rewordings. */
export const rewordingsShown = (refs: readonly Ref[]) =>
  refs.length === 0 ? {} : { rewordings: refs.length, rewordingRefs: refs.slice(0, REFS_MAX) }
