import { hasGivenWay, isOverFrom, KEPT_OUT } from '../../domain/claims.ts'
import type { SealedRow } from '../../domain/entry.ts'
import { type Hash, type Ref, ZERO_HASH } from '../../domain/ids.ts'
import { isFirstHand } from '../../domain/labels.ts'
import type { Policy } from '../../domain/policy.ts'
import {
  type ActorKey,
  type Burst,
  isBookkeeping,
  lineStateOf,
  type MemoryState,
  type StackState,
  type Tally,
  type Tombstone,
  UNBORN,
} from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import type { Tip } from '../../domain/waist.ts'
import type { KeptVectors, VectorBatch, VectorModel, VectorRow } from '../../ports/models.ts'
import type { Answers, EntryRow, Narrowed, ReadQuery, WeightCursor } from '../../ports/store.ts'

/** Vectors of one model, complete up to the entry `upto`. */
interface Vectors {
  readonly upto: number
  readonly rows: ReadonlyMap<number, VectorRow>
}

/** One stack in memory: arrays and maps, obviously right. */
export interface Rows {
  entries: EntryRow[]
  sealed: Map<number, SealedRow>
  memories: Map<Ref, MemoryState>
  children: Map<Ref, Ref[]>
  texts: Map<number, readonly string[]>
  actorKeys: Map<string, ActorKey>
  tallies: Map<string, Tally>
  bursts: Map<string, Burst>
  tombstones: Map<Hash, Tombstone>
  erasures: Map<number, number>
  scrubs: Set<number>
  policies: Map<Hash, Policy>
  /** By model. */
  vectors: Map<string, Vectors>
  tip: Tip
  stack: StackState
}

export const emptyRows = (): Rows => ({
  entries: [],
  sealed: new Map(),
  memories: new Map(),
  children: new Map(),
  texts: new Map(),
  actorKeys: new Map(),
  tallies: new Map(),
  bursts: new Map(),
  tombstones: new Map(),
  erasures: new Map(),
  scrubs: new Set(),
  policies: new Map(),
  vectors: new Map(),
  tip: { head: { seq: -1, hash: ZERO_HASH, rev: 0 }, time: null, tree: { size: 0, hashes: [] } },
  stack: UNBORN,
})

export const burstKeyOf = (row: Pick<Burst, 'actor' | 'identity'>): string =>
  JSON.stringify([row.actor, row.identity])

/** Rows are never changed in place, so a copy of the lists and maps is enough. */
export const copyOf = (rows: Rows): Rows => ({
  entries: [...rows.entries],
  sealed: new Map(rows.sealed),
  memories: new Map(rows.memories),
  children: new Map(rows.children),
  texts: new Map(rows.texts),
  actorKeys: new Map(rows.actorKeys),
  tallies: new Map(rows.tallies),
  bursts: new Map(rows.bursts),
  tombstones: new Map(rows.tombstones),
  erasures: new Map(rows.erasures),
  scrubs: new Set(rows.scrubs),
  policies: new Map(rows.policies),
  vectors: new Map(rows.vectors),
  tip: rows.tip,
  stack: rows.stack,
})

const decoder = new TextDecoder()

export const refIn = (bytes: Uint8Array): unknown => JSON.parse(decoder.decode(bytes)).ref

const keyOf = ({ id, dimension }: VectorModel): string => JSON.stringify([id, dimension])

export function putVectors(rows: Rows, { model, from, upto, rows: some }: VectorBatch): boolean {
  const kept = rows.vectors.get(keyOf(model)) ?? { upto: -1, rows: new Map() }
  if (kept.upto < from) return false
  const states = new Map([...rows.memories.values()].map((state) => [state.seq, state]))
  const isCurrent = ({ seq, revisionSeq }: VectorRow): boolean =>
    rows.texts.has(seq) && states.get(seq)?.revisionSeq === revisionSeq
  const added = some.filter(isCurrent).map((row) => [row.seq, row] as const)
  rows.vectors.set(keyOf(model), {
    upto: Math.max(kept.upto, upto),
    rows: new Map([...kept.rows, ...added]),
  })
  return true
}

export function vectorsOf(rows: Rows, model: VectorModel): KeptVectors {
  const kept = rows.vectors.get(keyOf(model))
  const all = [...(kept?.rows.values() ?? [])].sort((a, b) => a.seq - b.seq)
  const values = new Int8Array(all.length * model.dimension)
  for (const [at, { vector }] of all.entries()) values.set(vector, at * model.dimension)
  return {
    upto: kept?.upto ?? -1,
    seqs: all.map(({ seq }) => seq),
    revisionSeqs: all.map(({ revisionSeq }) => revisionSeq),
    atMs: all.map(({ atMs }) => atMs),
    values,
  }
}

/** Erased content keeps no vector under any model. */
export function dropVector(rows: Rows, seq: number): void {
  for (const [key, kept] of rows.vectors) {
    const others = [...kept.rows].filter(([other]) => other !== seq)
    rows.vectors.set(key, { ...kept, rows: new Map(others) })
  }
}

export function touched(rows: Rows, after: number, limit: number): Answers['touched'] {
  const some = rows.entries.slice(after + 1, after + 1 + limit)
  const refs = new Set(some.map(({ bytes }) => JSON.parse(decoder.decode(bytes)).ref as Ref | null))
  const states = [...refs].flatMap((ref) => (ref === null ? [] : (rows.memories.get(ref) ?? [])))
  const upto = some.at(-1)?.seq ?? after
  return {
    rows: states
      .map(({ seq, revisionSeq }) => ({ seq, revisionSeq, hasWords: rows.texts.has(seq) }))
      .sort((a, b) => a.seq - b.seq),
    upto,
    isLast: upto >= rows.tip.head.seq,
  }
}

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

/**
 * The oldest claims with a known timeline kind, of all claims and of first-hand claims; without the
 * latter, the oldest first-hand claim.
 */
export function tellersOf(claims: readonly MemoryState[]) {
  const telling = claims
    .filter(
      ({ facets, disposition }) => facets.subtype !== 'Unknown' && !KEPT_OUT.includes(disposition),
    )
    .sort((a, b) => a.seq - b.seq)
  const said = claims
    .filter(({ label, disposition }) => isFirstHand(label) && !KEPT_OUT.includes(disposition))
    .sort((a, b) => a.seq - b.seq)
  const firstHand = telling.find(({ label }) => isFirstHand(label)) ?? said[0]
  return { any: telling[0], firstHand }
}

export function lineIn(rows: Rows, query: Extract<ReadQuery, { type: 'line' }>): Answers['line'] {
  const all = claimsOn(rows, query.line)
  const standing = all.filter((claim) => !hasGivenWay(claim))
  const read = query.which === 'all' ? all : standingAt(all, query.at)
  const claims = read.map((state) => {
    const sealed = rows.sealed.get(state.revisionSeq)
    return { state: lineStateOf(state), sealed: sealed ? decoder.decode(sealed.bytes) : null }
  })
  return {
    claims,
    gaveWay: all.length - standing.length,
    over: standing.filter((claim) => !read.includes(claim)).length,
  }
}

/** The newest claim of every timeline, without erased claims. */
export function newestOfLines(rows: Rows): ReadonlySet<MemoryState> {
  const newest = new Map<Hash, MemoryState>()
  for (const state of rows.memories.values()) {
    const { line, kind, erased, seq } = state
    if (line === null || kind !== 'claim' || erased !== null) continue
    if (seq > (newest.get(line)?.seq ?? -1)) newest.set(line, state)
  }
  return new Set(newest.values())
}

function standingAt(claims: readonly MemoryState[], at: Instant | null): readonly MemoryState[] {
  const { any, firstHand } = tellersOf(claims)
  return claims.filter(
    (claim) => claim === any || claim === firstHand || (!hasGivenWay(claim) && !isOver(claim, at)),
  )
}

/** Holds under every policy; without a time, no claim is over. */
export function isOver({ claim }: MemoryState, by: Instant | null): boolean {
  const until = claim && isOverFrom(claim)
  return until !== null && by !== null && until <= by
}

const claimsOn = (rows: Rows, of: Hash): readonly MemoryState[] =>
  [...rows.memories.values()].filter(({ line }) => line === of).sort((a, b) => a.seq - b.seq)
