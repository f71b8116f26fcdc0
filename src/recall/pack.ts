import type { RecordKind } from '../domain/ids.ts'
import { kindPolicyOf, type Policy } from '../domain/policy.ts'
import type { StrengthTier } from '../fold/effective.ts'
import { cutAtWord } from './cut-at-word.ts'

const LOAD_TOKENS_DEFAULT = 8_000 // budget of a `load` by default
const LOAD_TOKENS_MAX = 50_000 // largest budget of a `load`

/** Four characters a token plus 30 %, rounded up, so that the estimate is rarely too low. */
export const estimateTokens = (text: string): number => Math.ceil((text.length * 13) / 40)

/** The budget within the limit; `capped` reports a lowered budget. */
export function tokenBudget(asked: number = LOAD_TOKENS_DEFAULT): {
  readonly tokens: number
  readonly capped: boolean
} {
  const tokens = Math.max(0, Math.floor(Math.min(asked, LOAD_TOKENS_MAX)))
  return { tokens, capped: asked > LOAD_TOKENS_MAX }
}

export const ITEM_CHARS_MAX = 500 // of an item in working memory
const SHARE_MAX = 0.4 // of the budget, for one kind, while another kind has nothing

export interface PackCandidate {
  readonly ref: string
  readonly kind: RecordKind
  readonly priority: number
  readonly text: string
  /** True for memories that a person asked to keep: a part of the budget is theirs. */
  readonly isKept?: boolean
}

interface PackedItem extends PackCandidate {
  readonly tokens: number
  /** True when the text was too long and lost its end. */
  readonly cut: boolean
}

interface LeftOut {
  readonly ref: string
  readonly kind: RecordKind
  /** `share`: by priority alone the item would be in; another kind's first item took the room. */
  readonly reason: 'budget' | 'share'
}

export interface Packed {
  /** By priority; equal priorities keep their given order. */
  readonly taken: readonly PackedItem[]
  readonly used: number
  readonly left: readonly LeftOut[]
}

/**
 * Fills a budget of tokens. Every kind with a small enough item gets at least one place, if the
 * budget holds the cheapest item of every such kind. The rest is filled by priority, and an item
 * that does not fit makes way for smaller items behind. A budget too small for every kind is filled
 * by priority alone.
 */
export function pack(candidates: readonly PackCandidate[], budget: number): Packed {
  const items = candidates.map(measured).sort(byPriority)
  const kept = keptAmong(items, budget)
  const keptKinds = new Set([...kept].map(({ kind }) => kind)) // these have a place
  const seats = seated(
    items.filter(({ kind }) => !keptKinds.has(kind)),
    budget - sum(kept),
  )
  const taken = new Set([...kept, ...seats])
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

const KEPT_SHARE_MAX = 0.4 // of the budget

/** Memories that a person asked to keep, in the given order, within their part of the budget. */
function keptAmong(items: readonly PackedItem[], budget: number): ReadonlySet<PackedItem> {
  const kept = new Set<PackedItem>()
  let used = 0
  for (const item of items) {
    if (!item.isKept || used + item.tokens > budget * KEPT_SHARE_MAX) continue
    kept.add(item)
    used += item.tokens
  }
  return kept
}

function measured({ ref, kind, priority, text, isKept = false }: PackCandidate): PackedItem {
  const shown = cutAtWord(text, ITEM_CHARS_MAX)
  const cut = shown !== text
  return {
    ref,
    kind,
    priority,
    text: shown,
    tokens: estimateTokens(shown),
    cut,
    ...(isKept && { isKept }),
  }
}

/** Sorting is stable, so equal priorities keep their order. */
function byPriority(a: PackedItem, b: PackedItem): number {
  if (a.priority === b.priority) return 0
  return a.priority > b.priority ? -1 : 1
}

/**
 * The first item of every kind: the highest priority that leaves room for the cheapest item of each
 * remaining kind and keeps to the share. A kind without an item within the share may exceed the
 * share. The cheapest item of a kind always fits, because room was kept. Empty when the budget is
 * too small.
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

/**
 * The cheapest item of every kind, the first of equals; none for kinds too expensive for the
 * budget.
 */
function cheapestByKind(items: readonly PackedItem[], budget: number): Map<RecordKind, PackedItem> {
  const cheapest = new Map<RecordKind, PackedItem>()
  for (const item of items) {
    const known = cheapest.get(item.kind)
    if (item.tokens <= budget && (known === undefined || item.tokens < known.tokens))
      cheapest.set(item.kind, item)
  }
  return cheapest
}

/** Reports for each omitted item whether priority alone would have included the item. */
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

export interface Loadable {
  readonly kind: RecordKind
  /** Scope of a summary; null for other kinds. */
  readonly subtype: string | null
  /** Value of the field that `policy.kinds[kind].load.bonus.from` names. */
  readonly weight: number | null
  readonly strengthTier: StrengthTier
}

/** Priority for loading; null for a kind, or a strength, that is never loaded. */
export function priorityOf(
  { kind, subtype, weight, strengthTier }: Loadable,
  policy: Pick<Policy, 'kinds'>,
): number | null {
  const { load } = kindPolicyOf(policy, kind)
  if (load === null || (strengthTier !== 'strong' && strengthTier !== 'fading')) return null
  const scopes = load.baseByScope ?? {}
  const scoped = subtype !== null && Object.hasOwn(scopes, subtype) ? scopes[subtype] : undefined
  const bonus = load.bonus === undefined ? 0 : (weight ?? 0) / load.bonus.divisor
  const full = (scoped ?? load.base) + bonus
  return strengthTier === 'fading' ? full / 2 : full
}
