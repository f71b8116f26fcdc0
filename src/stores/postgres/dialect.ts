import type { Dialect, Fragment } from '../sql/dialect.ts'
import { SAYS } from '../sql/predicates.ts'
import { SELDOM_COLUMNS } from '../sql/shown-rows.ts'
import { bytesText, keyOf, listOf } from './text.ts'
import { ranking } from './text-ranking.ts'

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

const BOM = '\ufeff'
const BOM_STORED = 'chr(1) || chr(3)' // as `toStored` writes it
const BOM_ESCAPED = '\\ufeff'
