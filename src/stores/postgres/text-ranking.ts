import { HELD_COUNTED_MAX, heldIn } from '../../domain/words/search.ts'
import type { Hit, Ranking, RankRequest } from '../sql/dialect.ts'
import { atMost } from '../sql/memories.ts'
import { numbersOf, rowOf, rowsOf, type Steps } from '../sql/steps.ts'
import type { SqlRow } from '../sql/values.ts'
import { listOf } from './text.ts'

// Robertson's bm25 with the constants and the order of operations of the other stores, so that all
// rank alike.
const K1 = 1.2
const B = 0.75
const IDF_MIN = 1e-6
const SCORE_DIGITS = 1e6

const COUNTED = `
  SELECT s.documents, s.lengths, ARRAY(
    SELECT (SELECT count(*) FROM postings p WHERE p.stack_id = $1 AND p.term = j.term)
    FROM unnest(?::text[]) WITH ORDINALITY AS j (term, at) ORDER BY j.at)::text
  FROM stacks s WHERE s.stack_id = $1`

const RANKED = `
  SELECT seq, floor(sum(score) * ${SCORE_DIGITS} + 0.5) / ${SCORE_DIGITS} AS score FROM (
    SELECT p.seq, j.idf * ((p.times * (${K1}::float8 + 1)) /
      (p.times + ${K1}::float8 * (1 - ${B}::float8 + (${B}::float8 * p.length) / $4::float8))) AS score
    FROM unnest($2::text[], $3::float8[]) AS j (term, idf)
      JOIN LATERAL (SELECT * FROM postings t WHERE t.stack_id = $1 AND t.term = j.term OFFSET 0) p ON TRUE
  ) scored GROUP BY seq ORDER BY score DESC, seq LIMIT $5`

/** `{1,2,3}`, as PostgreSQL writes a list. */
const numbersIn = (list: string): readonly number[] =>
  list === '{}' ? [] : list.slice(1, -1).split(',').map(Number)

function* best({ terms, count }: RankRequest): Steps<readonly Hit[]> {
  const [documents = 0, lengths = 0, holding = '{}'] = (yield* rowOf(COUNTED, listOf(terms))) ?? []
  const all = Number(documents)
  const average = all === 0 ? 1 : Number(lengths) / all
  const idfs = numbersIn(String(holding)).map((held) =>
    Math.max(IDF_MIN, Math.log((all - held + 0.5) / (held + 0.5))),
  )
  const asked = [listOf(terms), listOf(idfs), average, atMost(count)]
  return (yield* rowsOf(RANKED, ...asked)).map(([seq, score]) => [Number(seq), Number(score)])
}

const ALL = `
  SELECT coalesce((SELECT s.documents FROM stacks s WHERE s.stack_id = $1), 0),
    coalesce((SELECT max(w.seq) FROM words w WHERE w.stack_id = $1), 0)`

const HELD = `
  SELECT h.many, h.oldest FROM unnest(?::text[]) WITH ORDINALITY AS j (term, at),
    LATERAL (
      SELECT count(*) AS many, coalesce(min(seq), 0) AS oldest FROM (
        SELECT p.seq FROM postings p WHERE p.stack_id = $1 AND p.term = j.term
        ORDER BY p.seq DESC LIMIT ${HELD_COUNTED_MAX}) newest) h
  ORDER BY j.at`

// Reads the newest memories one by one until enough match: these terms occur in very many memories.
const NEWEST = `
  SELECT w.seq FROM words w
  WHERE w.stack_id = $1
    AND (SELECT count(*) FROM postings p
         WHERE p.stack_id = $1 AND p.term = ANY (?::text[]) AND p.seq = w.seq) >= ?
  ORDER BY w.seq DESC LIMIT ?`

export const ranking: Ranking = {
  best,
  *counted(terms) {
    const answers: readonly (readonly SqlRow[])[] = yield [
      { sql: ALL, values: [] },
      { sql: HELD, values: [listOf(terms)] },
    ]
    const [all = [], rows = []] = answers
    const [documents = 0, last = 0] = (all[0] ?? []).map(Number)
    const held = terms.map((term, at) => {
      const [counted, oldest] = rows[at] ?? []
      return { term, held: heldIn(Number(counted), { oldest: Number(oldest), last, documents }) }
    })
    return { documents, held }
  },
  *newest(terms, which, count) {
    const holdingMin = which === 'all' ? terms.length : 1
    return numbersOf(yield* rowsOf(NEWEST, listOf(terms), holdingMin, count))
  },
}
