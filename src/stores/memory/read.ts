import type { SealedRow } from '../../domain/entry.ts'
import { type RecordKind, type Ref, SHORT_ID_CHARS } from '../../domain/ids.ts'
import { isGone, type MemoryState, shownOf, speaksForItself } from '../../domain/state.ts'
import type { BurstKey } from '../../domain/waist.ts'
import { byteOrder } from '../../ledger/canonical.ts'
import { COMMITMENT_TAG, SALT_BYTES } from '../../ledger/ledger.ts'
import { LEAF_TAG } from '../../ledger/merkle.ts'
import { concatBytes } from '../../ledger/sha256.ts'
import type {
  MemoriesQuery,
  MemoryFilter,
  Projection,
  Projections,
  TableQuery,
} from '../../ports/queries.ts'
import type {
  EntryRow,
  LedgerRun,
  LineageQuery,
  MetMemory,
  Preimages,
  ReadQuery,
  ShelvedMemory,
  StoredMemory,
} from '../../ports/store.ts'
import { doubtedIn } from './gather.ts'
import {
  byWeight,
  isBehind,
  isWithin,
  lineIn,
  newestOfLines,
  type Rows,
  refIn,
  touched,
  vectorsOf,
} from './rows.ts'
import { begunBy, matches, recalled } from './search.ts'

/** Answers the query `memories`. */
const memories = (rows: Rows, query: MemoriesQuery): readonly Projections[Projection][] =>
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
  if (query.byOrigin && query.order !== 'oldest') {
    const sorted = states.toSorted(byOrigin)
    const last = sorted.findIndex(({ seq }) => seq === query.after)
    return sorted.slice(last + 1)
  }
  return query.order !== 'oldest'
    ? states.filter(({ seq }) => seq < (query.after ?? Infinity)).sort((a, b) => b.seq - a.seq)
    : states.filter(({ seq }) => seq > (query.after ?? -1)).sort((a, b) => a.seq - b.seq)
}

const byOrigin = (a: MemoryState, b: MemoryState): number =>
  byteOrder(b.bornAt, a.bornAt) || byteOrder(b.ref, a.ref)

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
    (idPart === undefined || isNamedBy(state.id, idPart))
  )
}

const isNamedBy = (id: string, part: string): boolean =>
  [id, id.slice(-SHORT_ID_CHARS)].some((text) => text.startsWith(part) || text.endsWith(part))

const isUngrounded = (rows: Rows, { kind, parents }: MemoryState): boolean =>
  kind === 'belief' &&
  parents.length > 0 &&
  parents.every((ref) => {
    const source = rows.memories.get(ref)
    return source === undefined || isGone(source)
  })

function withSealed(rows: Rows, state: MemoryState): StoredMemory {
  return {
    state,
    sealed: rows.sealed.get(state.revisionSeq) ?? null,
    notes: Object.values(state.notes).flatMap((seq) => rows.sealed.get(seq) ?? []),
  }
}

const decoder = new TextDecoder()

function metOf(rows: Rows, state: MemoryState): MetMemory {
  const { sealed, notes } = withSealed(rows, state)
  return { state: shownOf(state), sealed: sealed && decoder.decode(sealed.bytes), notes }
}

function onShelf(rows: Rows, state: MemoryState): ShelvedMemory {
  const { parents: _, ...shown } = shownOf(state)
  const { seq, weight, line } = state
  return { ...metOf(rows, state), state: { ...shown, seq, weight, line } }
}

/** Entries and content between two positions, joined as they are hashed. */
function runOf(
  rows: Rows,
  { from, to }: { readonly from: number; readonly to: number },
): LedgerRun {
  const isWithin = ({ seq }: { readonly seq: number }): boolean => seq >= from && seq <= to
  const entries = rows.entries.filter(isWithin)
  const sealed = [...rows.sealed.values()].filter(isWithin).sort((a, b) => a.seq - b.seq)
  return joinedAsHashed(entries, sealed)
}

/** The bytes that hashes are computed over, tags included. */
export const joinedAsHashed = (
  entries: readonly EntryRow[],
  sealed: readonly SealedRow[],
): LedgerRun => ({
  entries: preimagesOf(entries.map(({ seq, bytes }) => ({ seq, parts: [LEAF_TAG, bytes] }))),
  hashes: entries.map(({ hash }) => hash).join(),
  prevHashes: entries.map(({ prevHash }) => prevHash).join(),
  sealed: sealsOf(sealed),
})

function sealsOf(sealed: readonly SealedRow[]): Preimages {
  const found = preimagesOf(
    sealed.map(({ seq, salt, bytes }) => ({ seq, parts: [COMMITMENT_TAG, salt, bytes] })),
  )
  const isSalted = (at: number): boolean => sealed[at]?.salt.length === SALT_BYTES
  return { ...found, lengths: found.lengths.map((length, at) => (isSalted(at) ? length : -1)) }
}

interface Hashed {
  readonly seq: number
  readonly parts: readonly Uint8Array[]
}

const preimagesOf = (hashed: readonly Hashed[]): Preimages => ({
  seqs: hashed.map(({ seq }) => seq),
  lengths: hashed.map(({ parts }) => parts.reduce((sum, { length }) => sum + length, 0)),
  bytes: concatBytes(...hashed.flatMap(({ parts }) => parts)),
})

export function readFrom(rows: Rows, query: ReadQuery): unknown {
  switch (query.type) {
    case 'standing': {
      const { policyHash } = rows.stack
      const policy = policyHash === null ? null : (rows.policies.get(policyHash) ?? null)
      return { tip: rows.tip, stack: rows.stack, policy }
    }
    case 'memory': {
      const state = rows.memories.get(query.ref)
      return state ? withSealed(rows, state) : null
    }
    case 'memories':
      return memories(rows, query)
    case 'match':
      return matches(rows, query).map(({ state, score }) => ({
        memory: withSealed(rows, state),
        score,
      }))
    case 'recall':
      return recalled(rows, query)
    case 'begins':
      return begunBy(rows, query.terms)
    case 'vectors':
      return vectorsOf(rows, query.model)
    case 'touched':
      return touched(rows, query.after, query.limit)
    case 'line':
      return lineIn(rows, query)
    case 'entries':
      return 'about' in query
        ? rows.entries.filter(({ bytes }) => refIn(bytes) === query.about)
        : rows.entries.slice(query.from, query.from + query.limit)
    case 'run':
      return runOf(rows, query)
    case 'policy':
      return rows.policies.get(query.hash) ?? null
    case 'lineage':
      return query.as === 'count' ? lineageCount(rows, query) : lineage(rows, query)
    case 'doubted':
      return doubtedIn(rows, query.what, query.visitMax)
    case 'counts':
      return counts(rows)
    case 'table':
      return tableRows(rows, query)
  }
}

function tableRows(rows: Rows, query: TableQuery): readonly unknown[] {
  switch (query.name) {
    case 'sealed':
      return [...rows.sealed.values()]
        .filter(({ seq }) => seq >= query.from && seq <= query.to)
        .sort((a, b) => a.seq - b.seq)
    case 'bursts': {
      const { after } = query
      return [...rows.bursts.values()]
        .filter((burst) => after === null || inBurstOrder(after, burst) < 0)
        .sort(inBurstOrder)
        .slice(0, query.limit)
    }
    case 'actorKeys':
    case 'tallies':
    case 'tombstones':
      return [...rows[query.name].values()]
    case 'erasures':
      return [...rows.erasures]
        .map(([seq, entry]) => ({ seq, entry }))
        .sort((a, b) => a.seq - b.seq)
    case 'misfiled':
      return [] // entries are found by their bytes
    case 'scrubs':
      return [...rows.scrubs].sort((a, b) => a - b)
  }
}

const inBurstOrder = (a: BurstKey, b: BurstKey): number =>
  byteOrder(a.identity, b.identity) || byteOrder(a.actor, b.actor)

function lineage(rows: Rows, query: LineageQuery): readonly MetMemory[] | null {
  const next = (ref: Ref): readonly Ref[] =>
    query.direction === 'up'
      ? (rows.memories.get(ref)?.parents ?? [])
      : (rows.children.get(ref) ?? [])
  const seen = new Set<Ref>([query.ref])
  for (const ref of seen) {
    for (const neighbour of next(ref)) seen.add(neighbour)
    if (seen.size > query.visitMax) return null
  }
  return [...seen].flatMap((ref) => rows.memories.get(ref) ?? []).map((state) => metOf(rows, state))
}

function lineageCount(rows: Rows, query: LineageQuery): number | null {
  const found = lineage(rows, query)
  return found && found.length - (rows.memories.has(query.ref) ? 1 : 0)
}

function counts(rows: Rows): Partial<Record<RecordKind, number>> {
  const byKind: Partial<Record<RecordKind, number>> = {}
  for (const { kind, erased } of rows.memories.values()) {
    if (erased === null) byKind[kind] = (byKind[kind] ?? 0) + 1
  }
  return byKind
}
