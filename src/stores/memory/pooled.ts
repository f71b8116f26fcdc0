import {
  HELD_COUNTED_MAX,
  type HeldTerm,
  heldIn,
  POOL_TIMES,
  scoredByWords,
  splitTerms,
} from '../../domain/pooling.ts'
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
  const last = Math.max(0, ...rows.texts.keys())
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
  const { telling, common } = splitTerms(held, hits)
  const bestOf = (limit: number): readonly number[] =>
    matches(rows, {
      type: 'match',
      terms: telling,
      kinds,
      skip: 0,
      limit,
      ...(where && { where }),
    }).map(({ state }) => state.seq)
  if (common.length === 0) {
    const kept = bestOf(hits + 1)
    return { seqs: kept.slice(0, hits), isCut: kept.length > hits }
  }
  const end = hits * POOL_TIMES
  const pool = new Set(bestOf(end))
  const allowed = new Set(
    [...rows.memories.values()]
      .filter((state) => kinds.includes(state.kind) && isWithin(state, where))
      .map(({ seq }) => seq),
  )
  const newest = (holds: (words: readonly string[]) => boolean): void => {
    if (pool.size > hits) return
    const kept = holding(rows, holds).filter((seq) => allowed.has(seq))
    for (const seq of kept.slice(0, end)) pool.add(seq)
  }
  if (common.length > 1) newest((words) => common.every((term) => words.includes(term)))
  newest((words) => common.some((term) => words.includes(term)))
  const texts = [...pool].map((seq) => ({ seq, terms: (rows.texts.get(seq) ?? []).join(' ') }))
  const best = scoredByWords(texts, held, documents)
  return { seqs: best.slice(0, hits), isCut: pool.size > hits }
}
