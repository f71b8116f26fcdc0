import type { RecordKind } from '../../domain/ids.ts'
import {
  HELD_COUNTED_MAX,
  LOOKED_AT_TIMES,
  POOL_TIMES,
  scoredByWords,
  splitTerms,
} from '../../domain/words/search.ts'
import type { KeptVectors, TouchedRow, VectorModel } from '../../ports/models.ts'
import {
  BESIDE_HITS_MAX,
  BESIDE_NEAR_MAX,
  BESIDE_REACH,
  type Recalled,
  type RecalledRow,
} from '../../ports/queries.ts'
import type { Answers, Match, Narrowed, ReadQuery } from '../../ports/store.ts'
import {
  askable,
  type CountedTerms,
  type Dialect,
  type Hit,
  rowOf,
  rowsOf,
  type SqlRow,
  type Steps,
  written,
} from './dialect.ts'
import type { Untrusted } from './entry-rows.ts'
import { atMost, memories, recalledRows } from './memories.ts'

const HITS_MIN = 256 // ranked at a time; filters leave most of them
const HITS_GROWTH = 16 // times as many when filters left too few: ranking costs the same for any number

/** The best hits after the filters; reads as many hits as the filters require. */
export function* matched(
  d: Dialect,
  { terms, kinds, skip, limit, where }: Extract<ReadQuery, { type: 'match' }>,
): Steps<readonly Match[]> {
  const asked = askable(terms)
  const end = atMost(skip + limit)
  if (asked.length === 0 || end <= skip) return []
  const best = { terms: asked, where: { ...where, kinds }, end }
  const { kept, hits } = yield* bestKept(d, best)
  const scores = new Map(hits)
  const seqs = kept.slice(skip, end)
  const found = yield* memories(d, { type: 'memories', where: { seqs }, order: 'given' })
  return found.map((memory) => ({ memory, score: scores.get(memory.state.seq) ?? 0 }))
}

interface Best {
  readonly terms: readonly string[]
  readonly where: Narrowed & { readonly kinds: readonly RecordKind[] }
  readonly end: number
}

function* bestKept(d: Dialect, { terms, where, end }: Best) {
  const asked = { type: 'memories', as: 'seq', order: 'given', limit: end } as const
  for (let count = Math.max(HITS_MIN, end); ; count = atMost(count * HITS_GROWTH)) {
    const hits: readonly Hit[] = yield* d.ranking.best({ terms, count })
    const seqs = hits.map(([seq]) => seq)
    const kept: readonly number[] = yield* memories(d, { ...asked, where: { ...where, seqs } })
    if (kept.length >= end || hits.length < count) return { kept, hits }
  }
}

/** Candidates for a question, with neighbours of the best of them. */
export function* recalled(
  d: Dialect,
  { terms, near, kinds, hits, where }: Extract<ReadQuery, { type: 'recall' }>,
): Steps<Recalled> {
  const counted = yield* d.ranking.counted(askable(terms))
  const { documents } = counted
  const counts = new Map(counted.held.map(({ term, held }) => [term, held]))
  const holding = terms.map((term) => counts.get(term) ?? 0)
  if (hits <= 0) return { documents, holding, rows: [], runs: [], isCut: false }
  const kept = (seqs: readonly number[], limit: number): Steps<readonly RecalledRow[]> =>
    recalledRows(d, { ...where, kinds, seqs }, limit)
  const { rows: best, isCut } = yield* pooled(d, counted, { kept, hits: atMost(hits) })
  const keys = best.map(({ seq }) => seq)
  const known = new Set(keys)
  const nearby = near.filter((seq) => !known.has(seq))
  const runs = yield* runsOf(d, [
    ...keys.slice(0, BESIDE_HITS_MAX),
    ...nearby.slice(0, BESIDE_NEAR_MAX),
  ])
  const others = [...new Set([...nearby, ...runs.flat()])].filter((seq) => !known.has(seq))
  const rows = [...best, ...(yield* kept(others, Infinity))]
  return { documents, holding, rows, runs, isCut }
}

interface Pool {
  readonly kept: (seqs: readonly number[], limit: number) => Steps<readonly RecalledRow[]>
  readonly hits: number
}

/** Without filters the first so many for each hit are enough, and a quarter of the cost of all. */
const FIRST_LOOKED_AT_TIMES = 2

/** The best hits after the filters, plus one more when there are more. */
function* pooled(d: Dialect, { documents, held }: CountedTerms, { kept, hits }: Pool) {
  const { telling: seldom, common } = splitTerms(held, { hits, documents })
  const said = held.filter((each) => each.held > 0) // an absent term costs a look and adds 0
  const present = new Set(said.map(({ term }) => term))
  const telling = seldom.filter((term) => present.has(term))
  const lookedAt = atMost(hits * LOOKED_AT_TIMES)
  let hasMore = false
  const best = function* (limit: number): Steps<readonly RecalledRow[]> {
    if (telling.length === 0) return []
    const counted = said.filter((each) => each.held < HELD_COUNTED_MAX)
    const holding = new Map(counted.map((each) => [each.term, each.held]))
    const looked = yield* d.ranking.best({ terms: telling, count: lookedAt, held: holding })
    hasMore ||= looked.length === lookedAt
    return yield* kept(
      looked.map(([seq]) => seq),
      limit,
    )
  }
  if (common.length === 0) {
    const found = yield* best(hits + 1)
    return { rows: found.slice(0, hits), isCut: found.length > hits || hasMore }
  }
  const pool = new Map((yield* best(hits * POOL_TIMES)).map((row) => [row.seq, row]))
  const addNewest = function* (which: 'all' | 'any'): Steps<void> {
    if (pool.size > hits) return
    const some: RecalledRow[] = []
    let seen = 0
    for (const count of [atMost(hits * FIRST_LOOKED_AT_TIMES), lookedAt]) {
      const looked = yield* d.ranking.newest(common, which, count)
      some.push(...(yield* kept(looked.slice(seen), hits + 1 - some.length)))
      seen = looked.length
      if (some.length <= hits && looked.length === count && count < lookedAt) continue
      hasMore ||= looked.length === lookedAt
      for (const row of some) pool.set(row.seq, row)
      return
    }
  }
  if (common.length > 1) yield* addNewest('all')
  yield* addNewest('any')
  const rows = scoredByWords([...pool.values()], said, documents).slice(0, hits)
  return { rows, isCut: pool.size > hits || hasMore }
}

/**
 * Neighbours of the same session and kind, without captures, because captures have no search terms.
 */
const beside = (d: Dialect, way: '<' | '>', order: 'DESC' | 'ASC'): string => `(
  SELECT ${d.joined('around.seq', 'around.seq')} FROM (
    SELECT b.seq FROM memories b
    WHERE ${d.inStack('b')} AND b.${d.keyColumn('session')} = m.${d.keyColumn('session')}
      AND b.kind = m.kind AND b.seq ${way} m.seq AND b.captured = 0
    ORDER BY b.seq ${order} LIMIT ${BESIDE_REACH}) around)`

const RUNS = written(
  (d) => `
  SELECT m.seq AS own, ${beside(d, '<', 'DESC')} AS before, ${beside(d, '>', 'ASC')} AS after
  FROM ${d.list('bigint')} ${d.one('memories', 'seq', d.item, 'm')}
  WHERE m.session IS NOT NULL ${d.inListOrder}`,
)

function* runsOf(d: Dialect, keys: readonly number[]): Steps<readonly (readonly number[])[]> {
  const rows = yield* rowsOf(RUNS(d), d.listValue(keys))
  return rows.map(([own, before, after]) =>
    [...d.numbersIn(before), Number(own), ...d.numbersIn(after)].sort((a, b) => a - b),
  )
}

export const MODEL = written(
  (d) => `
  SELECT m.key, m.upto FROM vector_models m WHERE ${d.inStack('m')} AND m.id = ? AND m.dimension = ?`,
)

const PAGE_ROWS = 4_096

// Joined into one value, because most of the cost of a row is its own buffers.
const PAGE = written(
  (d) => `
  SELECT count(*), ${d.joined('v.seq', 'v.seq')}, ${d.joined('v.revision_seq', 'v.seq')},
    ${d.joined('v.at_ms', 'v.seq')}, ${d.joinedBytes('v.vector', 'v.seq')}
  FROM (SELECT * FROM vectors v WHERE ${d.inStack('v')} AND v.model = ? AND v.seq > ?
    ORDER BY v.seq LIMIT ${PAGE_ROWS}) v`,
)

export function* vectorsOf(d: Dialect, { id, dimension }: VectorModel): Steps<KeptVectors> {
  const [key = null, upto = -1] = (yield* rowOf(MODEL(d), id, dimension)) ?? []
  const pages: SqlRow[] = []
  const seqs: number[] = []
  while (key !== null) {
    const page = (yield* rowOf(PAGE(d), key, seqs.at(-1) ?? -1)) ?? []
    if (Number(page[0]) === 0) break
    pages.push(page)
    for (const seq of d.numbersIn(page[1])) seqs.push(seq)
  }
  const values = new Int8Array(seqs.length * dimension)
  let offset = 0
  for (const page of pages) {
    const joined = page[4] as Untrusted<Uint8Array>
    values.set(new Int8Array(joined), offset)
    offset += joined.length
  }
  return {
    upto: Number(upto),
    seqs,
    revisionSeqs: pages.flatMap((page) => d.numbersIn(page[2])),
    atMs: pages.flatMap((page) => d.numbersIn(page[3])),
    values,
  }
}

const LAST = written(
  (d) => `SELECT coalesce(max(l.seq), -1) FROM provenance_log l WHERE ${d.inStack('l')}`,
)

const TOUCHED = written(
  (d) => `
  SELECT DISTINCT m.seq, m.revision_seq, (
    SELECT count(*) FROM ${d.words.table} w WHERE ${d.inStack('w')} AND w.${d.words.key} = m.seq)
  FROM provenance_log l ${d.one('memories', 'ref', 'l.ref', 'm')}
  WHERE ${d.inStack('l')} AND l.seq > ? AND l.seq <= ? ORDER BY m.seq`,
)

export function* touched(d: Dialect, after: number, limit: number): Steps<Answers['touched']> {
  const last = Number((yield* rowOf(LAST(d)))?.[0])
  const upto = Math.max(after, Math.min(last, after + limit))
  const rows = yield* rowsOf(TOUCHED(d), after, upto)
  return {
    rows: rows.map(
      ([seq, revisionSeq, words]) =>
        ({ seq, revisionSeq, hasWords: Number(words) > 0 }) as Untrusted<TouchedRow>,
    ),
    upto,
    isLast: upto >= last,
  }
}
