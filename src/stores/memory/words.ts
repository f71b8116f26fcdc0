import type { MemoryState } from '../../domain/state.ts'
import { isOneCharacter } from '../../domain/words/terms.ts'
import { byteOrder } from '../../ledger/byte-order.ts'
import { BEGINNING_MIN, BEGUN_MAX, INSIDE_MIN } from '../../ports/recalled.ts'
import type { ReadQuery } from '../../ports/store.ts'
import { isWithin } from './narrow.ts'
import type { Rows } from './rows.ts'

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
