import type { RecordKind } from '../../domain/kind-names.ts'
import { isOneCharacter } from '../../domain/terms.ts'
import { BEGINNING_MIN, BEGUN_MAX, INSIDE_MIN } from '../../ports/recalled.ts'
import type { Match, Narrowed, ReadQuery } from '../../ports/store.ts'
import type { SqlRow, SqlValue } from '../sql/values.ts'
import { askable, TERM } from '../sql/words.ts'
import type { Connection } from './connection.ts'
import { termsWith } from './inside-words.ts'
import { atMost, keptOf, storedWith } from './listing.ts'
import { narrowed } from './narrow.ts'

// Ranked without looking at the memories: the index alone is a third of the cost of both.
const RANKED = `
  SELECT rowid, round(-bm25(words), 6) AS score FROM words WHERE words MATCH ?
  ORDER BY score DESC, rowid LIMIT +?`

// The same of some memories only: what costs is the ranking, not the finding.
const RANKED_AMONG = `
  SELECT rowid, round(-bm25(words), 6) AS score FROM words
  WHERE words MATCH ? AND +rowid IN (SELECT rowid FROM words WHERE words MATCH ?)
  ORDER BY score DESC, rowid LIMIT +?`

const HITS_MIN = 256 // ranked at a time; filters leave most of them
const HITS_GROWTH = 16 // times as many when filters left too few: ranking costs the same for any number

/** The best that the filters leave; as many hits are looked at as that takes. */
export function matched(
  connection: Connection,
  { terms, kinds, skip, limit, where }: Extract<ReadQuery, { type: 'match' }>,
): readonly Match[] {
  const asked = askable(terms)
  const end = atMost(skip + limit)
  if (asked.length === 0 || end <= skip) return []
  const { kept, hits } = bestKept(connection, { terms: asked, kinds, where, end })
  return withScores(connection, kept.slice(skip, end), hits)
}

interface Best {
  readonly terms: readonly string[]
  readonly kinds: readonly RecordKind[]
  readonly where: Narrowed | undefined
  readonly end: number
}

function bestKept(connection: Connection, { terms, kinds, where, end }: Best) {
  const conditions = narrowed(where)
  for (let count = Math.max(HITS_MIN, end); ; count = atMost(count * HITS_GROWTH)) {
    const hits = ranked(connection, { terms, count })
    const keys = hits.flatMap(([key]) => key ?? [])
    const kept = keptOf(connection, keys, { kinds, where: conditions, limit: end })
    if (kept.length >= end || hits.length < count) return { kept, hits }
  }
}

function withScores(
  connection: Connection,
  keys: readonly SqlValue[],
  hits: readonly SqlRow[],
): readonly Match[] {
  const scores = new Map(hits.map(([key, score]) => [key, Number(score)]))
  const found = storedWith(connection, keys)
  return found.map((memory) => ({ memory, score: scores.get(memory.state.seq) ?? 0 }))
}

/** Each term quoted, any of them: what a person typed is never syntax. */
export const anyOf = (terms: readonly string[]): string =>
  terms.map((term) => `"${term}"`).join(' OR ')

/** Each term quoted, all of them. */
export const allOf = (terms: readonly string[]): string =>
  terms.map((term) => `"${term}"`).join(' AND ')

const IS_SAID = 'SELECT 1 FROM words WHERE words MATCH ? LIMIT 1'
const BEGUN = `SELECT term FROM vocabulary WHERE term >= ? AND term < ? LIMIT ${BEGUN_MAX}`
const BEHIND_ALL = '\u{10ffff}' // in the order of bytes

/** Terms that begin with one that nobody said, or that is a single character; or else hold it. */
export function begunBy(connection: Connection, term: string): readonly string[] {
  if (!TERM.test(term)) return []
  const isSaid = (some: string): boolean =>
    connection.prepare(IS_SAID).get(anyOf([some])) !== undefined
  if (!isOneCharacter(term) && (term.length < BEGINNING_MIN || isSaid(term))) return []
  const begun = connection.prepare(BEGUN).all(term, term + BEHIND_ALL)
  if (begun.length === 0 && term.length >= INSIDE_MIN) return termsWith(connection, term, isSaid)
  return begun.map(([some]) => String(some))
}

interface Ranking {
  readonly terms: readonly string[]
  readonly count: number
  /** How many hold a term, of those that were counted one by one. */
  readonly held?: ReadonlyMap<string, number>
}

const HOLDING_MIN = 8_192 // memories that hold a term, below which ranking all of them is quick

/**
 * The best by all terms. Where very many memories hold some of them, those that hold a telling term
 * are ranked first: when as many of them as are asked for score more than the common terms can ever
 * give together, no other memory is among the best, and the answer is that of ranking all.
 */
export function ranked(connection: Connection, asked: Ranking): readonly SqlRow[] {
  const { terms, count } = asked
  const { telling, scoreMaxOfRest } = split(connection, asked)
  if (telling.length < terms.length) {
    const hits = connection.prepare(RANKED_AMONG).all(anyOf(terms), anyOf(telling), count)
    if (Number(hits[count - 1]?.[1] ?? 0) > scoreMaxOfRest) return hits
  }
  return connection.prepare(RANKED).all(anyOf(terms), count)
}

const HOLDING = 'SELECT count(*) FROM words WHERE words MATCH ?'
export const ALL = 'SELECT count(*) FROM words_docsize'

// As bm25 has it: a term never gives more than this many times its idf, however often it is said.
const IDF_TIMES_MAX = 2.2
const IDF_MIN = 1e-6
const HITS_TIMES_MIN = 4 // telling memories for each hit: the best of so many hold the terms well

const SHARE_MAX = 1 / 3 // of what holds any term; more of it is as dear as ranking all at once

function split(connection: Connection, { terms, count, held: counted }: Ranking) {
  const whole = { telling: terms, scoreMaxOfRest: 0 }
  if (terms.length === 1) return whole
  const countOf = (sql: string, ...asked: readonly string[]): number =>
    Number(connection.prepare(sql).get(...asked)?.[0])
  const rarestFirst = terms
    .map((term) => ({ term, holding: counted?.get(term) ?? countOf(HOLDING, anyOf([term])) }))
    .sort((a, b) => a.holding - b.holding)
  const held = rarestFirst.reduce((sum, { holding }) => sum + holding, 0)
  if (held < HOLDING_MIN) return whole
  const all = countOf(ALL)
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
