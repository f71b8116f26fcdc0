import { type Ref, SHORT_ID_CHARS } from '../../domain/ids.ts'
import type { RecordKind } from '../../domain/kind-names.ts'
import { isGone, type MemoryState, shownOf, speaksForItself } from '../../domain/state.ts'
import type { BurstKey } from '../../domain/waist.ts'
import { byteOrder } from '../../ledger/byte-order.ts'
import type {
  MetMemory,
  ReadQuery,
  ReadResults,
  ShelvedMemory,
  StoredMemory,
} from '../../ports/store.ts'
import { doubtedIn } from './doubted.ts'
import { lineIn, newestOfLines } from './lines.ts'
import { byWeight, isBehind, isWithin } from './narrow.ts'
import { recalled } from './recalling.ts'
import type { Rows } from './rows.ts'
import { runOf } from './run.ts'
import { touched, vectorsOf } from './vectors.ts'
import { begunBy, matches } from './words.ts'

type Answer = ReadResults[keyof ReadResults]

/** Answers one query; the caller's type says which member of the union it is. */
export function readFrom(rows: Rows, query: ReadQuery): Answer {
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
    case 'list':
      return [...rows.memories.values()]
        .filter(({ kind, seq }) => kind === query.kind && seq < (query.before ?? Infinity))
        .filter(({ erased }) => erased === null)
        .filter((state) => isWithin(state, query.where))
        .sort((a, b) => b.seq - a.seq)
        .slice(0, query.limit)
        .map((state) => withSealed(rows, state))
    case 'onward':
      return [...rows.memories.values()]
        .filter(({ kind, seq }) => kind === query.kind && seq > query.after)
        .filter(({ erased }) => erased === null)
        .filter((state) => isWithin(state, query.where))
        .sort((a, b) => a.seq - b.seq)
        .slice(0, query.limit)
        .map((state) => withSealed(rows, state))
    case 'shelf': {
      const { behind } = query
      const isLeft = (state: MemoryState): boolean =>
        query.by === 'weight' ? isBehind(state, behind) : state.seq < (behind?.seq ?? Infinity)
      return [...rows.memories.values()]
        .filter((state) => state.kind === query.kind && isLeft(state))
        .filter(({ erased }) => erased === null)
        .filter((state) => isWithin(state, query.where))
        .sort(query.by === 'weight' ? byWeight : (a, b) => b.seq - a.seq)
        .slice(0, query.limit)
        .map((state) => onShelf(rows, state))
    }
    case 'match':
      return matches(rows, query).map(({ state, score }) => ({
        memory: withSealed(rows, state),
        score,
      }))
    case 'recall':
      return recalled(rows, query)
    case 'begins':
      return begunBy(rows, query.terms)
    case 'kept': {
      const bySeq = new Map([...rows.memories.values()].map((state) => [state.seq, state]))
      const kept = query.seqs.filter((seq) => {
        const state = bySeq.get(seq)
        return state && query.kinds.includes(state.kind) && isWithin(state, query.where)
      })
      return kept.slice(0, query.limit)
    }
    case 'vectors':
      return vectorsOf(rows, query.model)
    case 'touched':
      return touched(rows, query.after, query.limit)
    case 'keyed': {
      const bySeq = new Map([...rows.memories.values()].map((state) => [state.seq, state]))
      return query.seqs.flatMap((seq) => {
        const state = bySeq.get(seq)
        return state ? withSealed(rows, state) : []
      })
    }
    case 'review':
      return (
        [...rows.memories.values()]
          .filter(({ review }) => review !== null && query.kinds.includes(review))
          // A capture that was set aside goes with the memory that it was captured for.
          .filter(({ captured, review }) => !(captured && review === 'quarantine'))
          .filter(({ seq }) => seq < (query.before ?? Infinity))
          .sort((a, b) => b.seq - a.seq)
          .slice(0, query.limit)
          .map((state) => withSealed(rows, state))
      )
    case 'ungrounded':
      return [...rows.memories.values()]
        .filter(({ kind, parents }) => kind === 'belief' && parents.length > 0)
        .filter(({ ref }) => query.among === null || query.among.includes(ref))
        .filter(({ seq }) => seq < (query.before ?? Infinity))
        .filter((state) => isWithin(state, query.where))
        .filter(({ parents }) => parents.every((ref) => isLost(rows.memories.get(ref))))
        .sort((a, b) => b.seq - a.seq)
        .slice(0, query.limit)
        .map((state) => withSealed(rows, state))
    case 'saying':
      return [...rows.memories.values()]
        .filter(({ identity, kind }) => identity === query.identity && kind !== 'claim')
        .filter(speaksForItself)
        .sort((a, b) => a.seq - b.seq)
    case 'line':
      return lineIn(rows, query)
    case 'lines':
      return newestOfLines(rows)
        .filter(({ seq }) => seq < (query.before ?? Infinity))
        .slice(0, query.limit)
        .map((state) => withSealed(rows, state))
    case 'entries':
      return rows.entries.slice(query.from, query.from + query.limit)
    case 'entriesAbout':
      return rows.entries.filter(({ bytes }) => refIn(bytes) === query.ref)
    case 'changed': {
      const later = rows.entries.filter(({ seq }) => seq > query.after)
      const about = new Set(later.map(({ bytes }) => refIn(bytes)))
      return query.refs.filter((ref) => about.has(ref))
    }
    case 'run':
      return runOf(rows, query)
    case 'policy':
      return rows.policies.get(query.hash) ?? null
    case 'descendants': {
      const found = lineage(rows, { ...query, type: 'lineage', direction: 'down' })
      return found && found.length - (rows.memories.has(query.ref) ? 1 : 0)
    }
    case 'doubted':
      return doubtedIn(rows, query.what, query.visitMax)
    case 'lineage':
      return lineage(rows, query)
    case 'sealed':
      return [...rows.sealed.values()]
        .filter(({ seq }) => seq >= query.from && seq <= query.to)
        .sort((a, b) => a.seq - b.seq)
    case 'counts':
      return counts(rows)
    case 'resolve':
      return [...rows.memories.values()]
        .filter(({ kind }) => query.kind === null || kind === query.kind)
        .filter(({ id }) =>
          [id, id.slice(-SHORT_ID_CHARS)].some(
            (text) => text.startsWith(query.part) || text.endsWith(query.part),
          ),
        )
        .sort((a, b) => a.seq - b.seq)
        .slice(0, query.limit)
        .map(({ ref }) => ref)
    case 'states':
      return [...rows.memories.values()]
        .filter(({ seq }) => seq > query.after)
        .sort((a, b) => a.seq - b.seq)
        .slice(0, query.limit)
    case 'actorKeys':
      return [...rows.actorKeys.values()]
    case 'tallies':
      return [...rows.tallies.values()]
    case 'erasures':
      return [...rows.erasures]
        .map(([seq, entry]) => ({ seq, entry }))
        .sort((a, b) => a.seq - b.seq)
    case 'misfiled':
      return [] // entries are found by their bytes
    case 'scrubs':
      return [...rows.scrubs].sort((a, b) => a - b)
    case 'tombstones':
      return [...rows.tombstones.values()]
    case 'bursts': {
      const { after } = query
      return [...rows.bursts.values()]
        .filter((burst) => after === null || inBurstOrder(after, burst) < 0)
        .sort(inBurstOrder)
        .slice(0, query.limit)
    }
  }
}

const withSealed = (rows: Rows, state: MemoryState): StoredMemory => ({
  state,
  sealed: rows.sealed.get(state.revisionSeq) ?? null,
  notes: Object.values(state.notes).flatMap((seq) => rows.sealed.get(seq) ?? []),
})

function onShelf(rows: Rows, state: MemoryState): ShelvedMemory {
  const { parents: _, ...shown } = shownOf(state)
  const { seq, weight, line } = state
  const { notes } = withSealed(rows, state)
  return { state: { ...shown, seq, weight, line }, sealed: textIn(rows, state), notes }
}

/** What its current revision sealed, as text. */
function textIn(rows: Rows, { revisionSeq }: MemoryState): string | null {
  const sealed = rows.sealed.get(revisionSeq)
  return sealed ? decoder.decode(sealed.bytes) : null
}

const isLost = (source: MemoryState | undefined): boolean => source === undefined || isGone(source)

const inBurstOrder = (a: BurstKey, b: BurstKey): number =>
  byteOrder(a.identity, b.identity) || byteOrder(a.actor, b.actor)

const decoder = new TextDecoder()

const refIn = (bytes: Uint8Array): unknown => JSON.parse(decoder.decode(bytes)).ref

function lineage(rows: Rows, query: Extract<ReadQuery, { type: 'lineage' }>) {
  const next = (ref: Ref): readonly Ref[] =>
    query.direction === 'up'
      ? (rows.memories.get(ref)?.parents ?? [])
      : (rows.children.get(ref) ?? [])
  const seen = new Set<Ref>([query.ref])
  for (const ref of seen) {
    for (const neighbour of next(ref)) seen.add(neighbour)
    if (seen.size > query.visitMax) return null
  }
  return [...seen]
    .flatMap((ref) => rows.memories.get(ref) ?? [])
    .map((state): MetMemory => {
      const { notes } = withSealed(rows, state)
      return { state: shownOf(state), sealed: textIn(rows, state), notes }
    })
}

function counts(rows: Rows): Partial<Record<RecordKind, number>> {
  const byKind: Partial<Record<RecordKind, number>> = {}
  for (const { kind, erased } of rows.memories.values()) {
    if (erased === null) byKind[kind] = (byKind[kind] ?? 0) + 1
  }
  return byKind
}
