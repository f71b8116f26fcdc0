import type { RecordKind } from '../domain/kind-names.ts'
import { cutAtWord } from './cut-at-word.ts'
import { estimateTokens } from './tokens.ts'

export const ITEM_CHARS_MAX = 500 // one item of working memory
const SHARE_MAX = 0.4 // of the budget, for one kind, while another has nothing

export interface PackCandidate {
  readonly ref: string
  readonly kind: RecordKind
  readonly priority: number
  readonly text: string
}

export interface PackedItem extends PackCandidate {
  readonly tokens: number
  /** Whether the text was too long and lost its end. */
  readonly cut: boolean
}

export interface LeftOut {
  readonly ref: string
  readonly kind: RecordKind
  /** `share`: by priority alone it would be in; its room went to the first item of another kind. */
  readonly reason: 'budget' | 'share'
}

export interface Packed {
  /** By priority, equal ones in the order in which they came. */
  readonly taken: readonly PackedItem[]
  readonly used: number
  readonly left: readonly LeftOut[]
}

/**
 * What fits into a budget of tokens. When the budget holds the cheapest item of every kind that has
 * one small enough, every such kind gets at least one; what remains is filled by priority, and an
 * item that does not fit makes way for smaller ones behind it. A budget that cannot hold one of each
 * is filled by priority alone.
 */
export function pack(candidates: readonly PackCandidate[], budget: number): Packed {
  const items = candidates.map(measured).sort(byPriority)
  const taken = seated(items, budget)
  let used = sum(taken)
  for (const item of items) {
    if (taken.has(item) || !(used + item.tokens <= budget)) continue
    taken.add(item)
    used += item.tokens
  }
  return {
    taken: items.filter((item) => taken.has(item)),
    used,
    left: leftOut(items, taken, budget),
  }
}

function measured({ ref, kind, priority, text }: PackCandidate): PackedItem {
  const shown = cutAtWord(text, ITEM_CHARS_MAX)
  const cut = shown !== text
  return { ref, kind, priority, text: shown, tokens: estimateTokens(shown), cut }
}

/** Sorting is stable, so that equal priorities keep their order. */
function byPriority(a: PackedItem, b: PackedItem): number {
  if (a.priority === b.priority) return 0
  return a.priority > b.priority ? -1 : 1
}

/**
 * The first item of every kind: the one of highest priority that leaves room for the cheapest of
 * each kind still without, and keeps to the share unless its kind has nothing that does. The
 * cheapest of a kind always fits, because room for it was kept. None when the budget is too small.
 */
function seated(items: readonly PackedItem[], budget: number): Set<PackedItem> {
  const taken = new Set<PackedItem>()
  const cheapest = cheapestByKind(items, budget)
  let kept = sum(cheapest.values())
  if (kept > budget) return taken
  let used = 0
  for (const item of items) {
    const least = cheapest.get(item.kind)
    if (least === undefined) continue
    const keptForOthers = kept - least.tokens
    const withinShare = cheapest.size === 1 || item.tokens <= budget * SHARE_MAX || item === least
    if (!withinShare || used + item.tokens + keptForOthers > budget) continue
    taken.add(item)
    used += item.tokens
    kept = keptForOthers
    cheapest.delete(item.kind)
  }
  return taken
}

/** Of every kind the item that costs least, the first of equals; kinds too dear for the budget have none. */
function cheapestByKind(items: readonly PackedItem[], budget: number): Map<RecordKind, PackedItem> {
  const cheapest = new Map<RecordKind, PackedItem>()
  for (const item of items) {
    const known = cheapest.get(item.kind)
    if (item.tokens <= budget && (known === undefined || item.tokens < known.tokens))
      cheapest.set(item.kind, item)
  }
  return cheapest
}

/** Beside what was left, whether it would have been taken by priority alone. */
function leftOut(
  items: readonly PackedItem[],
  taken: ReadonlySet<PackedItem>,
  budget: number,
): readonly LeftOut[] {
  const left: LeftOut[] = []
  let usedAlone = 0
  for (const item of items) {
    const { ref, kind, tokens } = item
    const fitsAlone = usedAlone + tokens <= budget
    if (fitsAlone) usedAlone += tokens
    if (!taken.has(item)) left.push({ ref, kind, reason: fitsAlone ? 'share' : 'budget' })
  }
  return left
}

function sum(items: Iterable<PackedItem>): number {
  let tokens = 0
  for (const item of items) tokens += item.tokens
  return tokens
}
