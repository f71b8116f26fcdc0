import { hash as nodeHash } from 'node:crypto'
import { hasGivenWay, isOverFrom } from '../../domain/claims.ts'
import type { MemoryState } from '../../domain/state.ts'
import { HELD_COUNTED_MAX, heldIn } from '../../domain/words/search.ts'
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
import { atMost } from '../sql/memories.ts'
import { COLUMNS } from '../sql/memory-rows.ts'
import { SELDOM_COLUMNS } from '../sql/shown-rows.ts'
import type { PgValue } from './drivers.ts'

const NUL = '\0'
const SOH = '\u0001'
const BOM = '\ufeff'

/**
 * PostgreSQL's text cannot hold NUL, which ids and names may hold. NUL is written as two characters
 * that keep the byte order, as are the escape character itself and the BOM, which some drivers
 * strip from a text.
 */
export const toStored = (text: string): string =>
  text.includes(NUL) || text.includes(SOH) || text.includes(BOM)
    ? text
        .replaceAll(SOH, '\u0001\u0002')
        .replaceAll(NUL, '\u0001\u0001')
        .replaceAll(BOM, '\u0001\u0003')
    : text

const UNSTORED: Readonly<Record<string, string>> = { '\u0001': NUL, '\u0002': SOH, '\u0003': BOM }

const ANNOUNCED = new RegExp(`${SOH}(.)`, 'gs')

export const fromStored = (text: string): string =>
  text.includes(SOH) ? text.replace(ANNOUNCED, (_, which) => UNSTORED[which] ?? '') : text

/** A list as one value: PostgreSQL's array syntax, equal for every driver. */
export function listOf(items: readonly PgValue[]): string {
  let list = ''
  for (const item of items) list += `${list === '' ? '' : ','}${elementOf(item)}`
  return `{${list}}`
}

function elementOf(item: PgValue): string {
  if (item === null) return 'NULL'
  if (typeof item === 'number') return String(item)
  if (typeof item === 'string') return quoted(item)
  return `"\\\\x${Buffer.from(item.buffer, item.byteOffset, item.byteLength).toString('hex')}"`
}

const PLAIN = /^[\w:.-]+$/ // nothing that an array would take for its own, and …
const quoted = (text: string): string =>
  PLAIN.test(text) && text !== 'NULL' && text !== 'null' // … not the word for nothing
    ? text
    : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** A hash in hex as an element of a list of bytes. */
export const bytesText = (hex: string | null): string | null => (hex === null ? null : `\\x${hex}`)

const KEY_HEX = 32 // 128 bits

const KNOWN_MAX = 2_000 // texts with cached keys: a few actors and sessions write most
const known = new Map<string, string>()

/**
 * The lookup key of a text of any length: an index row takes at most a third of a page, and names
 * may be longer. The text stands beside the key, and lookups compare both.
 */
export function keyOf(text: string): string {
  const met = known.get(text)
  if (met !== undefined) return met
  const key = nodeHash('sha256', text, 'hex').slice(0, KEY_HEX)
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(text, key)
  return key
}

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

const ranking: Ranking = {
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

/**
 * Joins the rows with an equal column to each row before them, by a lookup per row: with statistics
 * hours old, the planner may otherwise read a whole stack.
 */
const lateral =
  (how: '' | 'LEFT ', end: 'LIMIT 1' | 'OFFSET 0') =>
  (table: string, column: string, value: string, as: string): string =>
    `${how}JOIN LATERAL (SELECT * FROM ${table} t WHERE t.stack_id = $1 AND t.${column} = ${value} ${end}) ${as} ON TRUE`

const one = lateral('', 'LIMIT 1')
const oneOrNone = lateral('LEFT ', 'LIMIT 1')

const KEY_COLUMNS = {
  name: 'name_key',
  session: 'session_key',
  source_id: 'source_key',
  actor: 'actor_key',
} as const

const keysValue = (texts: readonly string[]): string => listOf(texts.map(keyOf))
const hashesValue = (hashes: readonly string[]): string => listOf(hashes.map(bytesText))

export const POSTGRES: Dialect = {
  name: 'postgres',
  inStack: (alias) => `${alias}.stack_id = $1`,
  hex: (bytes) => `encode(${bytes}, 'hex')`,
  unhex: (text) => `decode(${text}, 'hex')`,
  nth: (place) => `$${place + 1}`,
  is: 'IS NOT DISTINCT FROM',
  isNot: 'IS DISTINCT FROM',
  limit: 'LIMIT ?',
  bytes: 'bytea',
  text: (bytes) => bytes, // the server refuses some text that other stores keep
  holdsBytes: (bytes, text) => `position('${text}'::bytea IN ${bytes}) > 0`,
  find: 'strpos',
  list: (type) => `unnest(?::${type}[]) WITH ORDINALITY AS j (key, at)`,
  item: 'j.key',
  hashItem: 'j.key',
  inListOrder: 'ORDER BY j.at',
  listValue: (items) => listOf(items),
  joined: (column, order = '') => `array_agg(${column} ${order && `ORDER BY ${order}`})::text`,
  joinedBytes: (column, order) => `string_agg(${column}, ''::bytea ORDER BY ${order})`,
  numbersIn: (list) => {
    const text = String(list ?? '{}') // `{1,2,3}`, as PostgreSQL writes a list
    return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)
  },
  walksInOrder: false,
  hashesValue,
  isAmong: (column) => `${column} = ANY (?::text[])`,
  one,
  many: lateral('', 'OFFSET 0'),
  oneOrNone,
  // Refs contain no space. An unknown parent shows as a question mark, and the audit reports it.
  parents: `(
  SELECT string_agg(coalesce(p.ref, a.ref, chr(63)), ' ' ORDER BY e.position)
  FROM edges e
    ${oneOrNone('memories', 'seq', 'e.parent', 'p')}
    ${oneOrNone('absent', 'key', 'e.parent', 'a')}
  WHERE e.stack_id = $1 AND e.child = m.seq)`,
  keyColumn: (column) => KEY_COLUMNS[column],
  keyValue: keyOf,
  keysValue,
  keyType: 'uuid',
  // A lookup per row, as everywhere: a plain join may read all counters of a stack.
  askedBursts: `unnest(?::bytea[], ?::uuid[]) AS j (identity, actor_key)
    JOIN LATERAL (
      SELECT * FROM bursts t
      WHERE t.stack_id = $1 AND t.identity = j.identity AND t.actor_key = j.actor_key LIMIT 1) b ON TRUE`,
  burstsValues: (keys) => [
    hashesValue(keys.map(({ identity }) => identity)),
    keysValue(keys.map(({ actor }) => actor)),
  ],
  holdsAny,
  indexFor: () => '',
  isIndexedByIdentity: SAYS('m.'),
  seldomColumns: SELDOM_COLUMNS.map((column) => `m.${column}`).join(', '),
  seldomIn: (row, at) => row.slice(at, at + SELDOM_COLUMNS.length),
  marksOfFew: 'm.marks',
  stands: "standing_until > ''",
  gaveWay: 'standing_until IS NULL',
  countsGaveWay: false,
  oldestOf: (line, which) => `(
  SELECT f.seq FROM memories f
  WHERE f.stack_id = $1 AND f.line = ${line} AND ${which} ORDER BY f.seq LIMIT 1)`,
  counts: `
  SELECT m.kind, count(*) FROM memories m WHERE m.stack_id = $1 AND m.erased IS NULL
  GROUP BY m.kind ORDER BY min(m.seq)`,
  words: { table: 'words', key: 'seq', terms: 'terms' },
  ranking,
}

/**
 * A list column, kept as JSON, that holds any of the requested texts, compared as JSON. Of the
 * characters stored as two, the BOM stands unescaped in JSON, so it must be escaped here.
 */
function holdsAny(column: 'tags' | 'context_tags', texts: readonly string[]): Fragment {
  const quoted = texts.map((text) => JSON.stringify(text).replaceAll(BOM, BOM_ESCAPED))
  const sql = `(m.${column} IS NOT NULL AND EXISTS (
    SELECT 1 FROM json_array_elements(replace(m.${column}, ${BOM_STORED}, '${BOM_ESCAPED}')::json) has
    WHERE has::text = ANY (?::text[])))`
  return { sql, values: [listOf(quoted)] }
}
const BOM_STORED = 'chr(1) || chr(3)' // as `toStored` writes it
const BOM_ESCAPED = '\\ufeff'

/** A column of rows passed as lists, one list per column. */
export interface ListColumn {
  readonly name: string
  readonly type: 'bigint' | 'integer' | 'smallint' | 'float8' | 'text' | 'bytea' | 'uuid'
}

/** Puts in as many rows as the lists are long, in their order. */
export function insertInto(table: string, columns: readonly ListColumn[]): string {
  const names = columns.map(({ name }) => name).join(', ')
  const lists = columns.map(({ type }) => `?::${type}[]`).join(', ')
  return `INSERT INTO ${table} (stack_id, ${names}) SELECT $1, * FROM unnest(${lists})`
}

/** Replaces rows of the same key. */
export function upsertInto(
  table: string,
  columns: readonly ListColumn[],
  key: readonly string[],
): string {
  const rest = columns.filter(({ name }) => !key.includes(name))
  const replaced = rest.map(({ name }) => `${name} = excluded.${name}`).join(', ')
  return `${insertInto(table, columns)}
    ON CONFLICT (stack_id, ${key.join(', ')}) DO UPDATE SET ${replaced}`
}

/** The stored row of a memory, with lookup keys for texts that may be long. */
export const STORED_COLUMNS: readonly ListColumn[] = [
  ...COLUMNS,
  { name: 'session_key', type: 'uuid' },
  { name: 'name_key', type: 'uuid' },
  { name: 'source_key', type: 'uuid' },
  { name: 'standing_until', type: 'text' },
]

const keyOrNull = (text: string | null): string | null => (text === null ? null : keyOf(text))

export const storedValues = (memory: MemoryState): readonly PgValue[] => [
  ...COLUMNS.map(({ type, value }) => {
    const found = value(memory)
    return type === 'bytea' ? bytesText(found as string | null) : found // a hash is hex
  }),
  keyOrNull(memory.session),
  keyOrNull(memory.facets.name),
  keyOf(memory.sourceId),
  standingUntil(memory),
]

const ALWAYS = '~' // behind every instant

/**
 * The time until which a claim may answer for its timeline; null after giving way, and for other
 * kinds.
 */
function standingUntil(memory: MemoryState): string | null {
  if (memory.line === null || hasGivenWay(memory)) return null
  return (memory.claim && isOverFrom(memory.claim)) ?? ALWAYS
}
