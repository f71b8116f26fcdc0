import { isBookkeeping, type MemoryState } from '../../domain/state.ts'
import type { Narrowed, WeightCursor } from '../../ports/store.ts'

export function isWithin(state: MemoryState, where: Narrowed = {}): boolean {
  const { facets } = state
  const { subtype, status, name, session, context, contextOrNone, tags, except = [] } = where
  return (
    (subtype === undefined || facets.subtype === subtype) &&
    (status === undefined || facets.status === status) &&
    (name === undefined || facets.name === name) &&
    (session === undefined || state.session === session) &&
    (where.byPerson === undefined || state.label === 'UserAsserted') &&
    isBorn(state, where) &&
    (context === undefined || facets.context === context || facets.contextTags.includes(context)) &&
    (contextOrNone === undefined ||
      facets.context === contextOrNone ||
      facets.contextTags.includes(contextOrNone) ||
      (facets.context === null && facets.contextTags.length === 0)) &&
    (tags === undefined || tags.some((tag) => facets.tags.includes(tag))) &&
    isAtLeast(state.strength.value, where.strengthMin) &&
    isAtLeast(state.confidence.value, where.confidenceMin) &&
    isAtLeast(state.tier, where.tierMin) &&
    (where.tierBelow === undefined || state.tier < where.tierBelow) &&
    !except.includes(state.disposition) &&
    !(where.withoutCaptures && state.captured) &&
    !(where.withoutBookkeeping && isBookkeeping(state)) &&
    (where.untouched === undefined || (!state.captured && facets.status === null))
  )
}

const isAtLeast = (value: number, min: number | undefined): boolean =>
  min === undefined || value >= min

const isBorn = (
  { sourceId, bornAt }: MemoryState,
  { source, bornFrom, bornBefore }: Narrowed,
): boolean =>
  (source === undefined || sourceId === source) &&
  (bornFrom === undefined || bornAt >= bornFrom) &&
  (bornBefore === undefined || bornAt < bornBefore)

export const byWeight = (a: MemoryState, b: MemoryState): number =>
  b.weight - a.weight || b.seq - a.seq

export const isBehind = ({ weight, seq }: MemoryState, cursor: WeightCursor | null): boolean =>
  cursor === null || weight < cursor.weight || (weight === cursor.weight && seq < cursor.seq)
