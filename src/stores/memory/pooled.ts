import { KINDS } from '../../domain/ids.ts'
import {
  HELD_COUNTED_MAX,
  type HeldTerm,
  heldIn,
  LOOKED_AT_TIMES,
  POOL_TIMES,
  scoredByWords,
  splitTerms,
} from '../../domain/words/search.ts'
import type { ReadQuery } from '../../ports/store.ts'
import { isWithin } from './narrow.ts'
import type { Rows } from './rows.ts'
import { matches } from './words.ts'

export interface Counted {
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

export function pooled(
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
