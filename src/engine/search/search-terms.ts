import type { Tier } from '../../domain/doors.ts'
import type { Ref } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Read } from '../world.ts'

/**
 * Terms for finding memories; a part of a word also finds words that begin with the part or contain
 * the part.
 */
export interface SearchTerms {
  readonly terms: readonly string[]
  readonly partOf: ReadonlyMap<string, string>
  /** Terms that name a kind of a question's term, for finding further memories. */
  readonly kinds: readonly string[]
}

const KINDS_MAX = 160 // the most used; each is a look into the index

export async function searchTermsOf(
  read: Read,
  asked: readonly string[],
  kinds: Iterable<string> = [],
): Promise<SearchTerms> {
  const begun = asked.length === 0 ? [] : await read({ type: 'begins', terms: asked })
  const own = new Set(asked)
  const partOf = new Map<string, string>()
  for (const [at, terms] of begun.entries()) {
    for (const term of terms) {
      if (!own.has(term) && !partOf.has(term)) partOf.set(term, asked[at] ?? term)
    }
  }
  const terms = [...asked, ...partOf.keys()]
  const others = [...kinds].filter((term) => !partOf.has(term))
  return { terms, partOf, kinds: others.slice(0, KINDS_MAX) }
}

/** The terms of a text, with completions replaced by the question's term. */
export const withQuestionTerms = (
  { partOf }: SearchTerms,
  terms: readonly string[],
): readonly string[] => (partOf.size === 0 ? terms : terms.map((term) => partOf.get(term) ?? term))

export function holdingOf(
  { terms, partOf }: SearchTerms,
  counts: readonly number[],
  documents: number,
): ReadonlyMap<string, number> {
  const holding = new Map<string, number>()
  for (const [at, term] of terms.entries()) {
    const asked = partOf.get(term) ?? term
    const sum = (holding.get(asked) ?? 0) + (counts[at] ?? 0)
    holding.set(asked, Math.min(documents, sum))
  }
  return holding
}

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

const SHARED_MAX: Tier = 1

/**
 * True where equal words of one author take one place. Episodes, captures and reasons are rows of
 * their own at each repeat, because each happened; nobody vouches for words up to this tier.
 */
export const sharesPlace = ({ tier, kind }: Pick<MemoryState, 'tier' | 'kind'>): boolean =>
  tier <= SHARED_MAX && kind !== 'claim'

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
