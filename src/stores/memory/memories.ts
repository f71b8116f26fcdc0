import { SHORT_ID_CHARS } from '../../domain/ids.ts'
import { isGone, type MemoryState, shownOf, speaksForItself } from '../../domain/state.ts'
import type {
  MemoriesQuery,
  MemoryFilter,
  Projection,
  Projections,
} from '../../ports/memory-query.ts'
import type { MetMemory, ShelvedMemory, StoredMemory } from '../../ports/store.ts'
import { newestOfLines } from './lines.ts'
import { byWeight, isBehind, isWithin } from './narrow.ts'
import { type Rows, refIn } from './rows.ts'

/** Answers the query `memories`. */
export const memories = (rows: Rows, query: MemoriesQuery): readonly Projections[Projection][] =>
  inOrder(chosen(rows, query.where ?? {}), query)
    .slice(0, query.limit)
    .map((state) => PROJECTED[query.as ?? 'stored'](rows, state))

const PROJECTED: {
  readonly [P in Projection]: (rows: Rows, state: MemoryState) => Projections[P]
} = {
  stored: withSealed,
  state: (_, state) => state,
  section: onShelf,
  seq: (_, { seq }) => seq,
  ref: (_, { ref }) => ref,
}

function inOrder(states: readonly MemoryState[], query: MemoriesQuery): readonly MemoryState[] {
  if (query.order === 'given') return states
  if (query.order === 'heaviest') {
    return states.filter((state) => isBehind(state, query.after ?? null)).sort(byWeight)
  }
  return query.order !== 'oldest'
    ? states.filter(({ seq }) => seq < (query.after ?? Infinity)).sort((a, b) => b.seq - a.seq)
    : states.filter(({ seq }) => seq > (query.after ?? -1)).sort((a, b) => a.seq - b.seq)
}

function chosen(rows: Rows, where: MemoryFilter): readonly MemoryState[] {
  const { seqs, refs, changedAfter, newestOfLine } = where
  const all = [...rows.memories.values()]
  const bySeq = new Map(seqs === undefined ? [] : all.map((state) => [state.seq, state]))
  const found = seqs?.map((seq) => bySeq.get(seq)) ?? refs?.map((ref) => rows.memories.get(ref))
  const newest = newestOfLine ? newestOfLines(rows) : null
  const later = rows.entries.filter(({ seq }) => changedAfter !== undefined && seq > changedAfter)
  const spokenOf = new Set(later.map(({ bytes }) => refIn(bytes)))
  return (found ?? all)
    .flatMap((state) => state ?? [])
    .filter((state) => isWithin(state, where) && isMeant(state, where))
    .filter((state) => newest === null || newest.has(state))
    .filter(({ ref }) => changedAfter === undefined || spokenOf.has(ref))
    .filter((state) => !where.ungrounded || isUngrounded(rows, state))
}

function isMeant(state: MemoryState, where: MemoryFilter): boolean {
  const { kind, kinds, present, review, identity, idPart } = where
  const short = state.id.slice(-SHORT_ID_CHARS)
  const isSetAside = state.captured && state.review === 'quarantine'
  return (
    (kind === undefined || state.kind === kind) &&
    (kinds === undefined || kinds.includes(state.kind)) &&
    (present === undefined || state.erased === null) &&
    // A quarantined capture shares the review of the memory it was captured for.
    (review === undefined ||
      (state.review !== null && review.includes(state.review) && !isSetAside)) &&
    (identity === undefined ||
      (state.identity === identity && state.kind !== 'claim' && speaksForItself(state))) &&
    (idPart === undefined ||
      [state.id, short].some((text) => text.startsWith(idPart) || text.endsWith(idPart)))
  )
}

const isUngrounded = (rows: Rows, { kind, parents }: MemoryState): boolean =>
  kind === 'belief' &&
  parents.length > 0 &&
  parents.every((ref) => {
    const source = rows.memories.get(ref)
    return source === undefined || isGone(source)
  })

export function withSealed(rows: Rows, state: MemoryState): StoredMemory {
  return {
    state,
    sealed: rows.sealed.get(state.revisionSeq) ?? null,
    notes: Object.values(state.notes).flatMap((seq) => rows.sealed.get(seq) ?? []),
  }
}

const decoder = new TextDecoder()

export function metOf(rows: Rows, state: MemoryState): MetMemory {
  const { sealed, notes } = withSealed(rows, state)
  return { state: shownOf(state), sealed: sealed && decoder.decode(sealed.bytes), notes }
}

function onShelf(rows: Rows, state: MemoryState): ShelvedMemory {
  const { parents: _, ...shown } = shownOf(state)
  const { seq, weight, line } = state
  return { ...metOf(rows, state), state: { ...shown, seq, weight, line } }
}
