import type { RecordKind } from '../../domain/kind-names.ts'
import { isOneCharacter } from '../../domain/terms.ts'
import { BEGINNING_MIN, BEGUN_MAX, INSIDE_MIN } from '../../ports/recalled.ts'
import type { Match, Narrowed, ReadQuery } from '../../ports/store.ts'
import { askable } from '../sql/words.ts'
import { every, listed } from './columns.ts'
import type { Connection } from './connection.ts'
import type { PgRow } from './driver.ts'
import { atMost, keptOf, storedWith } from './listing.ts'
import { narrowed } from './narrow.ts'
import { listOf } from './text.ts'

// Robertson's bm25 with the constants of the other stores, worked out in the same order, so that all
// of them rank alike.
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
      ${every('postings', 'term', 'j.term', 'p')}
  ) scored GROUP BY seq ORDER BY score DESC, seq LIMIT $5`

interface Hit {
  readonly seq: number
  readonly score: number
}

/** The best by bm25, then the oldest, whatever they are. */
export async function ranked(
  connection: Connection,
  terms: readonly string[],
  count: number,
): Promise<readonly Hit[]> {
  const [documents = 0, lengths = 0, holding = '{}'] =
    (await connection.row(COUNTED, listOf(terms))) ?? []
  const all = Number(documents)
  const average = all === 0 ? 1 : Number(lengths) / all
  const idfs = numbersIn(String(holding)).map((held) =>
    Math.max(IDF_MIN, Math.log((all - held + 0.5) / (held + 0.5))),
  )
  const asked = [listOf(terms), listOf(idfs), average, atMost(count)]
  const rows = await connection.rows(RANKED, ...asked)
  return rows.map(([seq, score]) => ({ seq: Number(seq), score: Number(score) }))
}

/** `{1,2,3}`, as PostgreSQL writes a list. */
const numbersIn = (list: string): readonly number[] =>
  list === '{}' ? [] : list.slice(1, -1).split(',').map(Number)

const HITS_MIN = 256 // ranked at a time; filters leave most of them
const HITS_GROWTH = 16 // times as many when filters left too few: ranking costs the same for any number

interface Best {
  readonly terms: readonly string[]
  readonly kinds: readonly RecordKind[]
  readonly where: Narrowed | undefined
  readonly end: number
}

/** The best that the filters leave; as many hits are looked at as that takes. */
async function bestKept(connection: Connection, { terms, kinds, where, end }: Best) {
  const conditions = narrowed(where)
  for (let count = Math.max(HITS_MIN, end); ; count = atMost(count * HITS_GROWTH)) {
    const hits = await ranked(connection, terms, count)
    const keys = hits.map(({ seq }) => seq)
    const kept = await keptOf(connection, keys, { kinds, where: conditions })
    if (kept.length >= end || hits.length < count) return { kept, hits }
  }
}

export async function matched(
  connection: Connection,
  { terms, kinds, skip, limit, where }: Extract<ReadQuery, { type: 'match' }>,
): Promise<readonly Match[]> {
  const asked = askable(terms)
  const end = atMost(skip + limit)
  if (asked.length === 0 || end <= skip) return []
  const { kept, hits } = await bestKept(connection, { terms: asked, kinds, where, end })
  const scores = new Map(hits.map(({ seq, score }) => [seq, score]))
  const found = await storedWith(connection, kept.slice(skip, end))
  return found.map((memory) => ({ memory, score: scores.get(memory.state.seq) ?? 0 }))
}

const ARE_SAID = `
  SELECT j.at FROM ${listed('text')} WHERE EXISTS (
    SELECT 1 FROM postings p WHERE p.stack_id = $1 AND p.term = j.key)`
// Each next term is looked up behind the one before: however many hold one, it is one step.
const BEGUN = `
  SELECT j.at, b.term FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS j (begins, ends, at),
    LATERAL (
      WITH RECURSIVE begun (term, at) AS (
        (SELECT p.term, 1 FROM postings p
         WHERE p.stack_id = $1 AND p.term >= j.begins AND p.term < j.ends ORDER BY p.term LIMIT 1)
        UNION ALL
        SELECT (SELECT p.term FROM postings p
          WHERE p.stack_id = $1 AND p.term > b.term AND p.term < j.ends ORDER BY p.term LIMIT 1), b.at + 1
        FROM begun b WHERE b.term IS NOT NULL AND b.at < ${BEGUN_MAX})
      SELECT term, at FROM begun WHERE term IS NOT NULL) b
  ORDER BY j.at, b.at`
// One walk through the whole index for all parts, and only for words that nobody said or began.
const INSIDE = `
  SELECT at, term FROM (
    SELECT j.at, t.term, row_number() OVER (PARTITION BY j.at ORDER BY t.term) AS place
    FROM (SELECT DISTINCT p.term FROM postings p WHERE p.stack_id = $1 OFFSET 0) t
      JOIN ${listed('text')} ON strpos(t.term, j.key) > 0) held
  WHERE place <= ${BEGUN_MAX} ORDER BY at, place`
const BEHIND_ALL = '\u{10ffff}' // in the order of bytes

/** For each term that nobody said, or that is a single character, those that begin with it; or else hold it. */
export async function begunBy(
  connection: Connection,
  terms: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const known = askable(terms)
  const words = known.filter((term) => !isOneCharacter(term) && term.length >= BEGINNING_MIN)
  const rows = words.length === 0 ? [] : await connection.rows(ARE_SAID, listOf(words))
  const said = new Set(rows.map(([at]) => words[Number(at) - 1]))
  const parts = [...known.filter(isOneCharacter), ...words.filter((word) => !said.has(word))]
  const found = await termsBy(connection, parts)
  return terms.map((term) => found.get(term) ?? [])
}

/** Three questions at most, however many parts there are. */
async function termsBy(
  connection: Connection,
  parts: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (parts.length === 0) return new Map()
  const ends = parts.map((part) => part + BEHIND_ALL)
  const found = byPart(parts, await connection.rows(BEGUN, listOf(parts), listOf(ends)))
  const inside = parts.filter((part) => part.length >= INSIDE_MIN && !found.has(part))
  if (inside.length === 0) return found
  return new Map([...found, ...byPart(inside, await connection.rows(INSIDE, listOf(inside)))])
}

/** Rows of a part's place, counted from one, and a term. */
function byPart(parts: readonly string[], rows: readonly PgRow[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [at, term] of rows) {
    const part = parts[Number(at) - 1] ?? ''
    const terms = found.get(part)
    if (terms) terms.push(String(term))
    else found.set(part, [String(term)])
  }
  return found
}
