import { HELD_COUNTED_MAX, heldIn } from '../../domain/words/search.ts'
import type { Hit, Ranking, RankRequest } from '../sql/dialect.ts'
import { numbersOf, rowOf, rowsOf, type Steps } from '../sql/steps.ts'

// Ranked without looking at the memories: the index alone is a third of the cost of both.
const RANKED = `
  SELECT rowid, round(-bm25(words), 6) AS score FROM words WHERE words MATCH ?
  ORDER BY score DESC, rowid LIMIT +?`

// Ranks only some memories, because ranking costs more than matching.
const RANKED_AMONG = `
  SELECT rowid, round(-bm25(words), 6) AS score FROM words
  WHERE words MATCH ? AND +rowid IN (SELECT rowid FROM words WHERE words MATCH ?)
  ORDER BY score DESC, rowid LIMIT +?`

/** Each term quoted: typed text is never syntax. */
const quoted = (terms: readonly string[], between: 'OR' | 'AND'): string =>
  terms.map((term) => `"${term}"`).join(` ${between} `)

export const anyOf = (terms: readonly string[]): string => quoted(terms, 'OR')

const HELD = `
  SELECT count(*), min(rowid) FROM (
    SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ${HELD_COUNTED_MAX})`
const HOLDING = 'SELECT count(*) FROM words WHERE words MATCH ?'
const ALL = 'SELECT count(*) FROM words_docsize'
const LAST = 'SELECT max(id) FROM words_docsize'
const NEWEST = 'SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT +?'

export const ranking: Ranking = {
  best,
  *counted(terms) {
    const documents = yield* numberOf(ALL)
    const last = yield* numberOf(LAST)
    const held = []
    for (const term of terms) {
      const [counted, oldest] = (yield* rowOf(HELD, anyOf([term]))) ?? []
      const found = { oldest: Number(oldest), last, documents }
      held.push({ term, held: heldIn(Number(counted), found) })
    }
    return { documents, held }
  },
  *newest(terms, which, count) {
    const match = quoted(terms, which === 'all' ? 'AND' : 'OR')
    return numbersOf(yield* rowsOf(NEWEST, match, count))
  },
}

function* numberOf(sql: string, ...values: readonly string[]): Steps<number> {
  return Number((yield* rowOf(sql, ...values))?.[0] ?? 0)
}

const HOLDING_MIN = 8_192 // memories with a term, below which ranking all is quick

/**
 * The best hits by all terms. Where common terms match very many memories, memories with a rare
 * term are ranked first. When enough of them score above the sum of the common terms' maxima, no
 * other memory can be among the best, and the answer equals a full ranking.
 */
function* best(asked: RankRequest): Steps<readonly Hit[]> {
  const { terms, count } = asked
  const { telling, scoreMaxOfRest } = yield* split(asked)
  if (telling.length < terms.length) {
    const hits = yield* rowsOf(RANKED_AMONG, anyOf(terms), anyOf(telling), count)
    if (Number(hits[count - 1]?.[1] ?? 0) > scoreMaxOfRest) return hits as unknown as readonly Hit[]
  }
  return (yield* rowsOf(RANKED, anyOf(terms), count)) as unknown as readonly Hit[] // as selected
}

// In bm25 a term never adds more than this many times its idf, however often the term occurs.
const IDF_TIMES_MAX = 2.2
const IDF_MIN = 1e-6
const HITS_TIMES_MIN = 4 // telling memories for each hit: the best of so many hold the terms well

const SHARE_MAX = 1 / 3 // share of all matches above which a full ranking is as cheap

function* split({ terms, count, held: counted }: RankRequest) {
  const whole = { telling: terms, scoreMaxOfRest: 0 }
  if (terms.length === 1) return whole
  const rarestFirst: { term: string; holding: number }[] = []
  for (const term of terms) {
    const holding = counted?.get(term) ?? (yield* numberOf(HOLDING, anyOf([term])))
    rarestFirst.push({ term, holding })
  }
  rarestFirst.sort((a, b) => a.holding - b.holding)
  const held = rarestFirst.reduce((sum, { holding }) => sum + holding, 0)
  if (held < HOLDING_MIN) return whole
  const all = yield* numberOf(ALL)
  const idfs = rarestFirst.map(({ holding }) =>
    Math.max(IDF_MIN, Math.log((all - holding + 0.5) / (holding + 0.5))),
  )
  const maxBehind = (at: number): number =>
    idfs.slice(at + 1).reduce((sum, idf) => sum + IDF_TIMES_MAX * idf, IDF_MIN)
  let some = 0
  const last = rarestFirst.findIndex(({ holding }, at) => {
    some += holding
    return some >= count * HITS_TIMES_MIN && maxBehind(at) <= (idfs[at] ?? 0)
  })
  if (last < 0 || some > held * SHARE_MAX) return whole
  const telling = rarestFirst.slice(0, last + 1).map(({ term }) => term)
  return { telling, scoreMaxOfRest: maxBehind(last) }
}
