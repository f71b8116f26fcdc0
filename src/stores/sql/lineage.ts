import { type DescentOf, DISTRUST_LIMITS, type Doubted } from '../../domain/distrust.ts'
import { DOORS } from '../../domain/doors.ts'
import { assert, LimitError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Reach } from '../../domain/waist.ts'
import type { TableName, TableQuery, Tables } from '../../ports/queries.ts'
import type { Answers, Erasure, LineageQuery, MetMemory, ReadQuery } from '../../ports/store.ts'
import { lineOf } from './claims.ts'
import {
  type Dialect,
  numbersOf,
  rowOf,
  rowsOf,
  type SqlRow,
  type SqlValue,
  type Steps,
  texts,
  written,
} from './dialect.ts'
import {
  actorKeyOf,
  BURST,
  burstOf,
  ENTRY,
  entryOf,
  SEALED,
  sealedOf,
  TALLY,
  tallyOf,
  tombstoneOf,
  type Untrusted,
  withNotes,
} from './entry-rows.ts'
import { atMost, memories, statesOf } from './memories.ts'
import { STORED, storedOf, WITH_SEALED } from './memory-rows.ts'
import { matched, recalled, touched, vectorsOf } from './search.ts'
import { MET, metOf, SHOWN_SEQ_AT } from './shown-rows.ts'

const KEYS = written(
  (d) => `
  SELECT f.seq AS key FROM ${d.list('text')} ${d.one('memories', 'ref', d.item, 'f')}
  UNION ALL SELECT a.key AS key FROM ${d.list('text')} ${d.one('absent', 'ref', d.item, 'a')}`,
)

/** Integer keys of memories and of absent parents, as one list; an unknown ref has no key. */
function* keysOf(d: Dialect, refs: readonly Ref[]): Steps<readonly number[]> {
  const listed = d.listValue(refs)
  return numbersOf(yield* rowsOf(KEYS(d), listed, listed))
}

// UNION keeps each key once, which ends the walk on any graph, and no more is walked than the limit asks for.
const walk = (d: Dialect, from: string, to: string): string => `
  WITH RECURSIVE walk (key) AS (
    SELECT ${d.item} FROM ${d.list('bigint')}
    UNION SELECT e.${to} FROM walk w ${d.many('edges', from, 'w.key', 'e')}
  )`

const UP = written((d) => walk(d, 'child', 'parent'))
const DOWN = written((d) => walk(d, 'parent', 'child'))

/**
 * Every memory on the way, nearest first, or null when there are more than `visitMax` (BOUND-LOUD).
 * Keys pass between statements as one list, because a row for each key costs more than the step.
 */
function* lineage(
  d: Dialect,
  { ref, direction, visitMax }: LineageQuery,
): Steps<readonly MetMemory[] | null> {
  const start = yield* keysOf(d, [ref])
  const sql = `${direction === 'up' ? UP(d) : DOWN(d)}
    SELECT count(*), ${d.joined('met.key')} FROM (SELECT key FROM walk ${d.limit}) met`
  const [count, keys = null] = (yield* rowOf(sql, d.listValue(start), visitMax + 1)) ?? []
  // An unknown ref still counts as one visited place.
  if (Math.max(Number(count), 1) > visitMax) return null
  if (Number(count) === 0) return []
  const [children, parents] = (yield* rowOf(LINKS(d), keys)) ?? []
  const links = { children: d.numbersIn(children), parents: d.numbersIn(parents) }
  return yield* metWith(
    d,
    d.walksInOrder ? keys : nearestFirst(d, start, { direction, links }),
    links,
  )
}

/**
 * Links as parallel lists: a child and a parent at each index; the parents of one child keep their
 * order.
 */
interface Links {
  readonly children: readonly number[]
  readonly parents: readonly number[]
}

const LINKS = written(
  (d) => `
  SELECT ${d.joined('e.child', 'e.child, e.position')}, ${d.joined('e.parent', 'e.child, e.position')}
  FROM ${d.list('bigint')} ${d.many('edges', 'child', d.item, 'e')}`,
)

/** Keys in the order in which a walk along the links meets them, as a list. */
function nearestFirst(
  d: Dialect,
  start: readonly number[],
  { direction, links }: { readonly direction: LineageQuery['direction']; readonly links: Links },
): SqlValue {
  const { children, parents } = links
  const [from, to] = direction === 'up' ? [children, parents] : [parents, children]
  const next = new Map<number, number[]>()
  for (const [at, key] of from.entries()) pushTo(next, key, to[at] ?? 0)
  const met = new Set(start)
  for (const key of met) for (const neighbour of next.get(key) ?? []) met.add(neighbour)
  return d.listValue([...met])
}

const FOUND = written(
  (d) => `
  SELECT ${MET(d)} FROM ${d.list('bigint')} ${d.one('memories', 'seq', d.item, 'm')} ${WITH_SEALED(d)}
  ${d.inListOrder}`,
)

/** The memories of these keys, a list, in this order. */
function* metWith(d: Dialect, keys: SqlValue, links: Links): Steps<readonly MetMemory[]> {
  const rows = yield* rowsOf(FOUND(d), keys)
  const parents = yield* parentsAmong(d, rows, links)
  const found = rows.map((row) => metOf(d, row, parents.get(Number(row[SHOWN_SEQ_AT])) ?? []))
  return yield* withNotes(d, found)
}

const OTHERS = written(
  (d) => `
  SELECT ${d.item}, coalesce(p.ref, a.ref) FROM ${d.list('bigint')}
    ${d.oneOrNone('memories', 'seq', d.item, 'p')} ${d.oneOrNone('absent', 'key', d.item, 'a')}`,
)

/** Most parents are among the visited memories, so only the refs of the others are looked up. */
function* parentsAmong(
  d: Dialect,
  met: readonly SqlRow[],
  links: Links,
): Steps<ReadonlyMap<number, readonly Ref[]>> {
  const refs = new Map<number, Ref>()
  for (const row of met) refs.set(Number(row[SHOWN_SEQ_AT]), row[0] as Untrusted<Ref>)
  const others = new Set(links.parents.filter((parent) => !refs.has(parent)))
  const named = others.size === 0 ? [] : yield* rowsOf(OTHERS(d), d.listValue([...others]))
  // An unknown parent shows as `?`, and the audit reports it.
  for (const [key, ref] of named) refs.set(Number(key), (ref ?? '?') as Untrusted<Ref>)
  const parents = new Map<number, Ref[]>()
  for (const [at, child] of links.children.entries()) {
    pushTo(parents, child, refs.get(links.parents[at] ?? 0) as Ref) // all of them were looked up
  }
  return parents
}

function pushTo<Item>(lists: Map<number, Item[]>, key: number, item: Item): void {
  const known = lists.get(key)
  if (known) known.push(item)
  else lists.set(key, [item])
}

/** Counted along edges alone: no memory is read. */
function* lineageCount(
  d: Dialect,
  { ref, direction, visitMax }: LineageQuery,
): Steps<number | null> {
  const start = yield* keysOf(d, [ref])
  const sql = `${direction === 'up' ? UP(d) : DOWN(d)} SELECT count(*) FROM (SELECT key FROM walk ${d.limit}) met`
  const [count = 0] = (yield* rowOf(sql, d.listValue(start), visitMax + 1)) ?? []
  if (Math.max(Number(count), 1) > visitMax) return null
  return Math.max(0, Number(count) - 1)
}

// One index serves both: doors are few, and the actor is looked up under each door.
const ORIGINS: Readonly<Record<DescentOf['type'], (d: Dialect) => string>> = {
  actor: (d) => `m.door IN (${texts(DOORS)}) AND m.${d.keyColumn('source_id')} = ?`,
  door: () => 'm.door = ?',
  session: (d) => `m.${d.keyColumn('session')} = ?`,
  memory: () => 'm.ref = ?',
  memories: (d) => d.isAmong('m.ref'),
}

const DESCENT = (d: Dialect, origin: string): string => `
  WITH RECURSIVE walk (key) AS (
    SELECT m.seq FROM memories m WHERE ${d.inStack('m')} AND ${origin} AND m.erased IS NULL
    UNION SELECT e.child FROM walk w ${d.many('edges', 'parent', 'w.key', 'e')}
  )
  SELECT key FROM walk
  UNION SELECT e.parent FROM walk w ${d.many('edges', 'child', 'w.key', 'e')}
  ${d.limit}`

function originValue(d: Dialect, what: DescentOf): SqlValue {
  switch (what.type) {
    case 'actor':
    case 'session':
      return d.keyValue(what.name)
    case 'door':
      return what.name
    case 'memory':
      return what.ref
    case 'memories':
      return d.listValue(what.refs)
  }
}

/** Keys of the memories of an origin, all their descendants, and the parents of both. */
function* descentKeys(d: Dialect, what: DescentOf, visitMax: number): Steps<readonly number[]> {
  const sql = DESCENT(d, ORIGINS[what.type](d))
  const keys = numbersOf(yield* rowsOf(sql, originValue(d, what), visitMax + 1))
  // Absent parents have keys below zero and are no memories.
  return keys.filter((key) => key >= 0)
}

function* doubtedStates(
  d: Dialect,
  what: Doubted,
  visitMax: number,
): Steps<readonly MemoryState[] | null> {
  const keys = yield* descentKeys(d, what, visitMax)
  return keys.length > visitMax ? null : yield* statesOf(d, keys)
}

const CHILDREN = written(
  (d) => `
  SELECT DISTINCT e.child FROM edges e WHERE ${d.inStack('e')} AND e.parent = ?
  ORDER BY e.child ${d.limit}`,
)

/** The oldest children of a memory or of an absent parent, each once. */
export function* childKeys(d: Dialect, ref: Ref): Steps<readonly number[]> {
  const found: number[] = []
  for (const parent of yield* keysOf(d, [ref])) {
    found.push(...numbersOf(yield* rowsOf(CHILDREN(d), parent, LIMITS.cascadeFlagsMax + 1)))
  }
  return found
}

/** The given memories and all their ancestors, in one walk (BOUND-LOUD). */
export function* ancestorKeys(d: Dialect, refs: readonly Ref[]): Steps<readonly number[]> {
  if (refs.length === 0) return []
  const max = LIMITS.lineageVisitMax
  const start = d.listValue(yield* keysOf(d, refs))
  const keys = numbersOf(yield* rowsOf(`${UP(d)} SELECT key FROM walk ${d.limit}`, start, max + 1))
  if (keys.length > max) throw new LimitError('lineageVisitMax', max, keys.length)
  return keys
}

/** Keys of the states that `doubtedStates` returns; the gate takes all or none (BOUND-LOUD). */
export function* doubtedKeys(d: Dialect, what: DescentOf): Steps<readonly number[]> {
  const max = DISTRUST_LIMITS.distrustVisitMax
  const keys = yield* descentKeys(d, what, max)
  if (keys.length > max) throw new LimitError('distrustVisitMax', max, max + 1)
  return keys
}

const REACHED = written((d) => `${UP(d)} SELECT 1 FROM walk WHERE key = ? LIMIT 1`)

export function* doesReach(d: Dialect, { from, to }: Reach): Steps<boolean> {
  if (from.includes(to)) return true
  const [target] = yield* keysOf(d, [to])
  if (target === undefined) return false
  const start = d.listValue(yield* keysOf(d, from))
  return (yield* rowOf(REACHED(d), start, target)) !== undefined
}

/** A table in one order, as bundles and audits read it. */
interface Listing<Row> {
  readonly sql: (d: Dialect) => string
  readonly rowOf: (row: SqlRow) => Row
}

const listing = <Row>(rowOf: (row: SqlRow) => Row, sql: (d: Dialect) => string): Listing<Row> => ({
  sql: written(sql),
  rowOf,
})

/** `misfiled` is computed from the entries, by each store with its own code. */
const LISTINGS: { readonly [N in Exclude<TableName, 'misfiled'>]: Listing<Tables[N]> } = {
  actorKeys: listing(
    actorKeyOf,
    (d) => `
    SELECT a.actor, a.key, a.since FROM actor_keys a WHERE ${d.inStack('a')} ORDER BY a.place`,
  ),
  tallies: listing(
    tallyOf,
    (d) => `SELECT ${TALLY(d)} FROM tallies t WHERE ${d.inStack('t')} ORDER BY t.place`,
  ),
  tombstones: listing(
    tombstoneOf,
    (d) => `
    SELECT ${d.hex('t.mark')} AS mark, t.seq FROM tombstones t WHERE ${d.inStack('t')} ORDER BY t.seq`,
  ),
  erasures: listing(
    ([seq, entry]) => ({ seq, entry }) as Untrusted<Erasure>,
    (d) => `SELECT e.seq, e.entry FROM erasures e WHERE ${d.inStack('e')} ORDER BY e.seq`,
  ),
  scrubs: listing(
    ([entry]) => Number(entry),
    (d) => `SELECT s.entry FROM scrubs s WHERE ${d.inStack('s')} ORDER BY s.entry`,
  ),
  sealed: listing(
    sealedOf,
    (d) => `
    SELECT ${SEALED(d)} FROM sealed s
    WHERE ${d.inStack('s')} AND s.seq BETWEEN ? AND ? ORDER BY s.seq`,
  ),
  bursts: listing(
    burstOf,
    (d) => `
    SELECT ${BURST(d)} FROM bursts b
    WHERE ${d.inStack('b')} AND b.identity >= ${d.unhex('?')}
      AND (b.identity, b.actor) > (${d.unhex('?')}, ?)
    ORDER BY b.identity, b.actor ${d.limit}`,
  ),
}

function* tableRows(d: Dialect, query: TableQuery): Steps<readonly unknown[]> {
  assert(query.name !== 'misfiled', 'each store finds these in its own way')
  const { sql, rowOf }: Listing<unknown> = LISTINGS[query.name]
  return (yield* rowsOf(sql(d), ...valuesOf(query))).map(rowOf)
}

function valuesOf(query: TableQuery): readonly SqlValue[] {
  if (query.name === 'sealed') return [query.from, atMost(query.to)]
  if (query.name !== 'bursts') return []
  const { identity, actor } = query.after ?? { identity: '', actor: '' } // before every key
  return [identity, identity, actor, atMost(query.limit)]
}

const MEMORY = written(
  (d) => `
  SELECT ${STORED(d)} FROM memories m ${WITH_SEALED(d)} WHERE ${d.inStack('m')} AND m.ref = ?`,
)
const entriesWhere = (condition: string) =>
  written(
    (d) => `
  SELECT ${ENTRY(d)} FROM provenance_log l WHERE ${d.inStack('l')} AND ${condition} ORDER BY l.seq`,
  )
const ENTRIES = entriesWhere('l.seq BETWEEN ? AND ?')
const ENTRIES_ABOUT = entriesWhere('l.ref = ?')

/** Queries that each store answers with its own code. */
type OwnQuery = { readonly type: 'standing' | 'begins' | 'run' | 'policy' }

export function* read(d: Dialect, query: Exclude<ReadQuery, OwnQuery>): Steps<unknown> {
  switch (query.type) {
    case 'memory':
      return (yield* withNotes(d, (yield* rowsOf(MEMORY(d), query.ref)).map(storedOf)))[0] ?? null
    case 'memories':
      return yield* memories(d, query)
    case 'match':
      return yield* matched(d, query)
    case 'recall':
      return yield* recalled(d, query)
    case 'vectors':
      return yield* vectorsOf(d, query.model)
    case 'touched':
      return yield* touched(d, query.after, query.limit)
    case 'line':
      return yield* lineOf(d, query)
    case 'entries': {
      if ('about' in query) return (yield* rowsOf(ENTRIES_ABOUT(d), query.about)).map(entryOf)
      const { from, limit } = query
      return (yield* rowsOf(ENTRIES(d), from, atMost(from + limit) - 1)).map(entryOf)
    }
    case 'lineage':
      return yield* query.as === 'count' ? lineageCount(d, query) : lineage(d, query)
    case 'doubted':
      return yield* doubtedStates(d, query.what, query.visitMax)
    case 'counts':
      return Object.fromEntries(yield* rowsOf(d.counts)) as Untrusted<Answers['counts']>
    case 'table':
      return yield* tableRows(d, query)
  }
}
