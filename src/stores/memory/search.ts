import { KINDS } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import {
  HELD_COUNTED_MAX,
  type HeldTerm,
  heldIn,
  LOOKED_AT_TIMES,
  POOL_TIMES,
  scoredByWords,
  splitTerms,
} from '../../domain/words/search.ts'
import { isOneCharacter } from '../../domain/words/terms.ts'
import { byteOrder } from '../../ledger/canonical.ts'
import {
  BEGINNING_MIN,
  BEGUN_MAX,
  BESIDE_HITS_MAX,
  BESIDE_NEAR_MAX,
  BESIDE_REACH,
  INSIDE_MIN,
  type Recalled,
  type RecalledRow,
} from '../../ports/queries.ts'
import type { ReadQuery } from '../../ports/store.ts'
import { isWithin, type Rows } from './rows.ts'

// Robertson's bm25 with the constants of SQLite's full-text index, so that both stores rank alike:
// k1 = 1.2, b = 0.75, and an idf above zero.
const K1 = 1.2
const B = 0.75
const IDF_MIN = 1e-6

export function matches(
  rows: Rows,
  { terms, kinds, skip, limit, where }: Extract<ReadQuery, { type: 'match' }>,
): readonly { readonly state: MemoryState; readonly score: number }[] {
  const documents = [...rows.texts]
  const lengths = documents.reduce((sum, [, words]) => sum + words.length, 0)
  const average = documents.length === 0 ? 1 : lengths / documents.length
  const distinct = [...new Set(terms)]
  const idf = new Map(
    distinct.map((term) => {
      const holding = documents.filter(([, words]) => words.includes(term)).length
      const weight = Math.log((documents.length - holding + 0.5) / (holding + 0.5))
      return [term, Math.max(IDF_MIN, weight)]
    }),
  )
  const scores = new Map<number, number>()
  for (const [seq, words] of documents) {
    const score = distinct.reduce((sum, term) => {
      const times = words.filter((word) => word === term).length
      const norm = K1 * (1 - B + (B * words.length) / average)
      return sum + (idf.get(term) ?? 0) * ((times * (K1 + 1)) / (times + norm))
    }, 0)
    if (score > 0) scores.set(seq, rounded(score))
  }
  return [...rows.memories.values()]
    .flatMap((state) => {
      const score = scores.get(state.seq)
      return score === undefined ? [] : [{ state, score }]
    })
    .filter(({ state }) => kinds.includes(state.kind) && isWithin(state, where))
    .sort((a, b) => b.score - a.score || a.state.seq - b.state.seq)
    .slice(skip, skip + limit)
}

/**
 * For each unknown or one-character term, the known terms with this prefix; without any, the terms
 * that contain the term.
 */
export function begunBy(rows: Rows, terms: readonly string[]): readonly (readonly string[])[] {
  const known = new Set<string>()
  for (const words of rows.texts.values()) for (const word of words) known.add(word)
  return terms.map((term) => {
    if (!isOneCharacter(term) && (term.length < BEGINNING_MIN || known.has(term))) return []
    const begun = [...known].filter((other) => other.startsWith(term))
    const isInside = begun.length === 0 && term.length >= INSIDE_MIN
    const found = isInside ? [...known].filter((other) => other.includes(term)) : begun
    return found.sort(byteOrder).slice(0, BEGUN_MAX)
  })
}

/** To the sixth digit: the last bits of a logarithm are not the same everywhere. */
const rounded = (score: number): number => Math.round(score * 1e6) / 1e6

interface Counted {
  readonly documents: number
  readonly held: readonly HeldTerm[]
}

export function countedIn(rows: Rows, terms: readonly string[]): Counted {
  const documents = rows.texts.size
  let last = 0
  for (const seq of rows.texts.keys()) last = Math.max(last, seq)
  const held = terms.map((term) => {
    const newest = holding(rows, (words) => words.includes(term)).slice(0, HELD_COUNTED_MAX)
    return { term, held: heldIn(newest.length, { oldest: newest.at(-1) ?? 0, last, documents }) }
  })
  return { documents, held }
}

/** Newest first. */
const holding = (rows: Rows, holds: (words: readonly string[]) => boolean): readonly number[] =>
  [...rows.texts]
    .filter(([, words]) => holds(words))
    .map(([seq]) => seq)
    .sort((a, b) => b - a)

function pooled(
  rows: Rows,
  { documents, held }: Counted,
  { kinds, where, hits }: Extract<ReadQuery, { type: 'recall' }>,
): { readonly seqs: readonly number[]; readonly isCut: boolean } {
  if (hits <= 0) return { seqs: [], isCut: false }
  const { telling, common } = splitTerms(held, { hits, documents })
  const lookedAt = hits * LOOKED_AT_TIMES
  let hasMore = false
  const allowed = new Set(
    [...rows.memories.values()]
      .filter((state) => kinds.includes(state.kind) && isWithin(state, where))
      .map(({ seq }) => seq),
  )
  const keep = (looked: readonly number[], limit: number): readonly number[] => {
    hasMore ||= looked.length === lookedAt
    return looked.filter((seq) => allowed.has(seq)).slice(0, limit)
  }
  const best = (limit: number): readonly number[] => {
    const asked = { type: 'match', terms: telling, kinds: KINDS, skip: 0, limit: lookedAt } as const
    return keep(
      matches(rows, asked).map(({ state }) => state.seq),
      limit,
    )
  }
  if (common.length === 0) {
    const kept = best(hits + 1)
    return { seqs: kept.slice(0, hits), isCut: kept.length > hits || hasMore }
  }
  const pool = new Set(best(hits * POOL_TIMES))
  const newest = (holds: (words: readonly string[]) => boolean): void => {
    if (pool.size > hits) return
    for (const seq of keep(holding(rows, holds).slice(0, lookedAt), hits + 1)) pool.add(seq)
  }
  if (common.length > 1) newest((words) => common.every((term) => words.includes(term)))
  newest((words) => common.some((term) => words.includes(term)))
  const texts = [...pool].map((seq) => ({ seq, terms: (rows.texts.get(seq) ?? []).join(' ') }))
  const seqs = scoredByWords(texts, held, documents).map(({ seq }) => seq)
  return { seqs: seqs.slice(0, hits), isCut: pool.size > hits || hasMore }
}

export function recalled(rows: Rows, query: Extract<ReadQuery, { type: 'recall' }>): Recalled {
  const { terms, near, kinds, hits, where } = query
  const bySeq = new Map([...rows.memories.values()].map((state) => [state.seq, state]))
  const counted = countedIn(rows, [...new Set(terms)])
  const found = pooled(rows, counted, query)
  const states = found.seqs.flatMap((seq) => bySeq.get(seq) ?? [])
  const stated = (seqs: readonly number[]): readonly MemoryState[] =>
    [...new Set(seqs)]
      .flatMap((seq) => bySeq.get(seq) ?? [])
      .filter((state) => !states.includes(state))
  const nearby = hits > 0 ? stated(near) : []
  const runs = [...states.slice(0, BESIDE_HITS_MAX), ...nearby.slice(0, BESIDE_NEAR_MAX)].flatMap(
    (state) => runOf(bySeq, state),
  )
  const others = stated([...nearby.map(({ seq }) => seq), ...runs.flat()]).filter(
    (state) => kinds.includes(state.kind) && isWithin(state, where),
  )
  return {
    documents: counted.documents,
    holding: terms.map((term) => counted.held.find((each) => each.term === term)?.held ?? 0),
    rows: [...states, ...others].flatMap((state) => rowOf(rows, state)),
    runs,
    isCut: found.isCut,
  }
}

function runOf(
  bySeq: ReadonlyMap<number, MemoryState>,
  { seq: own, session, kind }: MemoryState,
): readonly (readonly number[])[] {
  if (session === null) return []
  const said = [...bySeq.values()]
    .filter((other) => other.session === session && other.kind === kind && !other.captured)
    .map(({ seq }) => seq)
    .sort((a, b) => a - b)
  const before = said.filter((seq) => seq < own).slice(-BESIDE_REACH)
  return [[...before, own, ...said.filter((seq) => seq > own).slice(0, BESIDE_REACH)]]
}

function rowOf(rows: Rows, state: MemoryState): readonly RecalledRow[] {
  const terms = rows.texts.get(state.seq)
  if (terms === undefined) return []
  const { seq, revisionSeq, label, tier, sourceId, session, bornAt, strength } = state
  return [
    {
      seq,
      revisionSeq,
      label,
      tier,
      sourceId,
      session,
      bornAt,
      strength: strength.value,
      terms: terms.join(' '),
    },
  ]
}
