import type { Narrowed, ReadQuery, StoredMemory } from '../../ports/store.ts'
import { STORED, storedOf, WITH_SEALED } from '../sql/memory-rows.ts'
import type { SqlRow, SqlValue } from '../sql/values.ts'
import type { Connection } from './connection.ts'
import { type Conditions, narrowed } from './narrow.ts'
import { withNotes } from './notes.ts'

/** SQLite takes whole numbers only, and there are no more rows than this. */
export const atMost = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER)

type Asked<Type extends ReadQuery['type']> = Extract<ReadQuery, { type: Type }>

// Of indexes that serve alike, no planner without statistics takes the one with the fewest rows. A name
// and a session have indexes of their own, which are better still.
function indexFor(where: Narrowed = {}): string {
  const { tags, name, session, byPerson, withoutCaptures, untouched } = where
  if (name === undefined && session !== undefined && byPerson) {
    return 'INDEXED BY memories_by_person'
  }
  if (name !== undefined || session !== undefined) return ''
  if (tags !== undefined) return 'INDEXED BY memories_tagged'
  if (untouched) return 'INDEXED BY memories_untouched'
  return withoutCaptures ? 'INDEXED BY memories_own' : ''
}

const LISTED = (columns: string, conditions: string, index: string): string => `
  SELECT ${columns} FROM memories m ${index} ${WITH_SEALED} WHERE m.kind = ? AND m.seq < ? AND m.erased IS NULL${conditions}
  ORDER BY m.seq DESC LIMIT +?`

/** Columns of what is listed, newest first. */
export function listedAs(
  columns: string,
  connection: Connection,
  { kind, before, limit, where }: Asked<'list'>,
): readonly SqlRow[] {
  const { sql, values } = narrowed(where)
  const asked = [kind, atMost(before ?? Infinity), ...values, atMost(limit)]
  return connection.prepare(LISTED(columns, sql, indexFor(where))).all(...asked)
}

export const listed = (connection: Connection, query: Asked<'list'>): readonly StoredMemory[] =>
  withNotes(connection, listedAs(STORED, connection, query).map(storedOf))

const ONWARD = (conditions: string, index: string): string => `
  SELECT ${STORED} FROM memories m ${index} ${WITH_SEALED} WHERE m.kind = ? AND m.seq > ? AND m.erased IS NULL${conditions}
  ORDER BY m.seq LIMIT +?`

export function onward(
  connection: Connection,
  { kind, after, limit, where }: Asked<'onward'>,
): readonly StoredMemory[] {
  const { sql, values } = narrowed(where)
  const asked = [kind, after, ...values, atMost(limit)]
  const rows = connection.prepare(ONWARD(sql, indexFor(where))).all(...asked)
  return withNotes(connection, rows.map(storedOf))
}

// A capture that was set aside goes with the memory that it was captured for.
const WAITING = `
  SELECT m.seq FROM memories m
  WHERE m.review IN (SELECT value FROM json_each(?)) AND m.seq < ?
    AND NOT (m.captured = 1 AND m.review = 'quarantine')
  ORDER BY m.seq DESC LIMIT +?`

export function waiting(
  connection: Connection,
  { kinds, before, limit }: Asked<'review'>,
): readonly StoredMemory[] {
  const rows = connection
    .prepare(WAITING)
    .all(JSON.stringify(kinds), atMost(before ?? Infinity), atMost(limit))
  return storedWith(
    connection,
    rows.flatMap(([key]) => key ?? []),
  )
}

const KEYED = `
  SELECT ${STORED} FROM json_each(?) j CROSS JOIN memories m ON m.seq = j.value ${WITH_SEALED}`

/**
 * The memories of these keys, in this order. Sorting is done on keys before: whatever is sorted is
 * read whole first, and most of it falls behind the limit.
 */
export function storedWith(
  connection: Connection,
  keys: readonly SqlValue[],
): readonly StoredMemory[] {
  if (keys.length === 0) return []
  const rows = connection.prepare(KEYED).all(JSON.stringify(keys))
  return withNotes(connection, rows.map(storedOf))
}

const KEPT = (conditions: string): string => `
  SELECT m.seq FROM json_each(?) j CROSS JOIN memories m ON m.seq = j.value
  WHERE m.kind IN (SELECT value FROM json_each(?))${conditions} LIMIT +?`

interface Keeping {
  readonly kinds: readonly string[]
  readonly where: Conditions
  /** No more of them than this. */
  readonly limit: number
}

/** Those of the keys that are of these kinds and meet the conditions, in their order. */
export const keptOf = (
  connection: Connection,
  keys: readonly SqlValue[],
  { kinds, where, limit }: Keeping,
): readonly number[] =>
  connection
    .prepare(KEPT(where.sql))
    .all(JSON.stringify(keys), JSON.stringify(kinds), ...where.values, atMost(limit))
    .map(([key]) => Number(key))
