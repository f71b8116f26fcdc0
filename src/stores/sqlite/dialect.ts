import { HELD_COUNTED_MAX, heldIn } from '../../domain/words/search.ts'
import type { MemoryFilter } from '../../ports/queries.ts'
import {
  type Dialect,
  type Fragment,
  type Hit,
  numbersOf,
  type Ranking,
  type RankRequest,
  rowOf,
  rowsOf,
  SAYS,
  type SqlRow,
  type Steps,
} from '../sql/dialect.ts'
import { CLAIM_ALONE } from '../sql/memory-rows.ts'
import { SELDOM, SELDOM_COLUMNS } from '../sql/shown-rows.ts'

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

// One statement for all terms: a question with many kinds has 160, and each call costs its own.
const HELD = `
  SELECT (SELECT json_array(count(*), min(rowid)) FROM (
    SELECT rowid FROM words WHERE words MATCH j.value ORDER BY rowid DESC LIMIT ${HELD_COUNTED_MAX}))
  FROM json_each(?) j ORDER BY j.key`
const HOLDING = 'SELECT count(*) FROM words WHERE words MATCH ?'
const ALL = 'SELECT count(*) FROM words_docsize'
const LAST = 'SELECT max(id) FROM words_docsize'
const NEWEST = 'SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT +?'

const ranking: Ranking = {
  best,
  *counted(terms) {
    const documents = yield* numberOf(ALL)
    const last = yield* numberOf(LAST)
    const rows = yield* rowsOf(HELD, jsonList(terms.map((term) => anyOf([term]))))
    const held = terms.map((term, at) => {
      const [counted = 0, oldest = 0] = SQLITE.numbersIn(rows[at]?.[0])
      return { term, held: heldIn(counted, { oldest, last, documents }) }
    })
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

/**
 * Lists are passed as one JSON value: ten times as fast as a call per item when nothing matches,
 * the usual case for a group of new memories.
 */
export const jsonList = (items: readonly unknown[]): string => JSON.stringify(items)

const same = (column: string): string => column

const AS_MOST = SELDOM.map(([column, usual]) => `m.${column} ${usual}`).join(' AND ')

const join =
  (how: 'CROSS' | 'LEFT') =>
  (table: string, column: string, value: string, as: string): string =>
    `${how} JOIN ${table} ${as} ON ${as}.${column} = ${value}`

export const SQLITE: Dialect = {
  name: 'sqlite',
  inStack: () => 'TRUE', // a file holds a single stack
  hex: (bytes) => `lower(hex(${bytes}))`,
  unhex: (text) => `unhex(${text})`,
  nth: (place) => `?${place}`,
  is: 'IS',
  isNot: 'IS NOT',
  limit: 'LIMIT +?',
  bytes: 'BLOB',
  text: (bytes) => `CAST(${bytes} AS TEXT)`,
  holdsBytes: (bytes, text) => `instr(${bytes}, CAST('${text}' AS BLOB)) > 0`,
  find: 'instr',
  list: () => 'json_each(?) j',
  item: 'j.value',
  hashItem: 'unhex(j.value)',
  inListOrder: '',
  listValue: jsonList,
  joined: (column) => `json_group_array(${column})`,
  joinedBytes: (column) => `CAST(group_concat(${column}, '') AS BLOB)`,
  numbersIn: (list) => JSON.parse(String(list ?? '[]')),
  walksInOrder: true, // rows leave the queue of a recursion as they came
  hashesValue: jsonList,
  isAmong: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  one: join('CROSS'),
  many: join('CROSS'),
  oneOrNone: join('LEFT'),
  // Refs contain no space. An unknown parent shows as `?`, and the audit reports it.
  parents: `(
  SELECT group_concat(parent, ' ') FROM (
    SELECT coalesce(p.ref, a.ref, '?') AS parent
    FROM edges e LEFT JOIN memories p ON p.seq = e.parent LEFT JOIN absent a ON a.key = e.parent
    WHERE e.child = m.seq ORDER BY e.position))`,
  keyColumn: same,
  keyValue: same,
  keysValue: jsonList,
  keyType: 'text',
  askedBursts: `json_each(?) j CROSS JOIN bursts b
    ON b.identity = unhex(j.value ->> 0) AND b.actor = j.value ->> 1`,
  burstsValues: (keys) => [jsonList(keys.map(({ actor, identity }) => [identity, actor]))],
  holdsAny,
  indexFor,
  isIndexedByIdentity: `${SAYS('m.')} AND m.opens = 0`,
  // Passing a value to JavaScript costs as much as reading it, so fifteen usual values are passed
  // as one NULL.
  seldomColumns: `CASE WHEN ${AS_MOST} THEN NULL
    ELSE json_array(${SELDOM_COLUMNS.map((column) => `m.${column}`).join(', ')}) END AS m_seldom`,
  seldomIn: (row, at) => {
    const seldom = row[at] ?? null
    return seldom === null ? null : (JSON.parse(String(seldom)) as SqlRow) // as asked for
  },
  marksOfFew: `CASE WHEN m.marks GLOB '${CLAIM_ALONE}*' THEN NULL ELSE m.marks END`,
  // Every claim of a timeline is in one of two indexes, each in the order of birth.
  stands: 'standing_until IS NOT NULL',
  gaveWay: 'standing_until IS NULL',
  countsGaveWay: true,
  oldestOf: (line, which) => {
    const among = (side: string): string => `
  SELECT * FROM (SELECT f.seq FROM memories f
    WHERE f.line = ${line} AND f.${side} AND ${which} ORDER BY f.seq LIMIT 1)`
    return `(
  SELECT min(seq) FROM (${among(SQLITE.stands)} UNION ALL ${among(SQLITE.gaveWay)}))`
  },
  // From indexes alone: to look at every row would cost ten times as much.
  counts: `
  SELECT m.kind, count(*) - (
      SELECT count(*) FROM memories e WHERE e.kind = m.kind AND e.erased IS NOT NULL) AS kept
  FROM memories m GROUP BY m.kind HAVING kept > 0 ORDER BY (
    SELECT min(f.seq) FROM memories f WHERE f.kind = m.kind AND f.erased IS NULL)`,
  // Looked up through the index itself, terms would cost twice as much.
  words: { table: 'words_content', key: 'id', terms: 'c0' },
  ranking,
}

/**
 * A list column that holds any of the requested texts. Lists are JSON, so a list with a text
 * contains the text's JSON; most rows fail this cheap check and are never parsed.
 */
function holdsAny(column: 'tags' | 'context_tags', texts: readonly string[]): Fragment {
  const quoted = texts.map((text) => JSON.stringify(text))
  const seen = quoted.map(() => `instr(m.${column}, ?) > 0`).join(' OR ')
  const sql = `(m.${column} IS NOT NULL AND (${seen || 'false'}) AND EXISTS (
    SELECT 1 FROM json_each(m.${column}) has JOIN json_each(?) asked ON has.value = asked.value))`
  return { sql, values: [...quoted, jsonList(texts)] }
}

/**
 * Without statistics the planner does not choose the smallest of several usable indexes. A name or
 * a session has its own index, which is better still.
 */
function indexFor(where: MemoryFilter): string {
  const { tags, name, session, byPerson, withoutCaptures, untouched } = where
  if (where.idPart !== undefined) return 'INDEXED BY memories_by_ref'
  if (where.kind === undefined) return ''
  if (name === undefined && session !== undefined && byPerson) {
    return 'INDEXED BY memories_by_person'
  }
  if (name !== undefined || session !== undefined) return ''
  if (tags !== undefined) return 'INDEXED BY memories_tagged'
  if (untouched) return 'INDEXED BY memories_untouched'
  return withoutCaptures ? 'INDEXED BY memories_own' : ''
}
