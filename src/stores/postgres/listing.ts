import type { ReadQuery, ShelvedMemory, StoredMemory } from '../../ports/store.ts'
import { storedOf } from '../sql/memory-rows.ts'
import { shelvedOf } from '../sql/shelf-rows.ts'
import { each, listed as listedKeys, selected } from './columns.ts'
import type { Connection } from './connection.ts'
import type { PgValue } from './driver.ts'
import { STORED, WITH_SEALED } from './memory-rows.ts'
import { MET, SEALED_AT, seldomIn, withText } from './met-rows.ts'
import { type Conditions, narrowed } from './narrow.ts'
import { withNotes } from './notes.ts'
import { listOf } from './text.ts'

/** A limit is a whole number, and there are no more rows than this. */
export const atMost = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER)

type Asked<Type extends ReadQuery['type']> = Extract<ReadQuery, { type: Type }>

// Found first and read afterwards: a plan for both takes longer than looking up what is not there.
const LISTED = (conditions: string): string => `
  SELECT m.seq FROM memories m
  WHERE m.stack_id = $1 AND m.kind = ? AND m.seq < ? AND m.erased IS NULL${conditions}
  ORDER BY m.seq DESC LIMIT ?`

async function keysByAge(
  connection: Connection,
  { kind, before, limit, where }: Omit<Asked<'list'>, 'type'>,
): Promise<readonly number[]> {
  const { sql, values } = narrowed(where)
  const asked = [kind, atMost(before ?? Infinity), ...values, atMost(limit)]
  return keysIn(await connection.rows(LISTED(sql), ...asked))
}

export const listed = async (
  connection: Connection,
  query: Asked<'list'>,
): Promise<readonly StoredMemory[]> => storedWith(connection, await keysByAge(connection, query))

const ONWARD = (conditions: string): string => `
  SELECT m.seq FROM memories m
  WHERE m.stack_id = $1 AND m.kind = ? AND m.seq > ? AND m.erased IS NULL${conditions}
  ORDER BY m.seq LIMIT ?`

export async function onward(
  connection: Connection,
  { kind, after, limit, where }: Asked<'onward'>,
): Promise<readonly StoredMemory[]> {
  const { sql, values } = narrowed(where)
  const rows = await connection.rows(ONWARD(sql), kind, after, ...values, atMost(limit))
  return storedWith(connection, keysIn(rows))
}

// As the index by weight says it, word for word, so that it serves.
const WEIGHTY = (conditions: string): string => `
  SELECT m.seq FROM memories m
  WHERE m.stack_id = $1 AND m.kind = ? AND m.weight > 0 AND (m.weight, m.seq) < (?, ?)
    AND m.erased IS NULL${conditions}
  ORDER BY m.weight DESC, m.seq DESC LIMIT ?`

const WEIGHTLESS = (conditions: string): string => `
  SELECT m.seq FROM memories m
  WHERE m.stack_id = $1 AND m.kind = ? AND m.weight = 0 AND m.seq < ?
    AND m.erased IS NULL${conditions}
  ORDER BY m.seq DESC LIMIT ?`

/** What weighs nothing comes last, and is no part of the index: few kinds have weights at all. */
async function keysByWeight(
  connection: Connection,
  { kind, behind, limit, where }: Asked<'shelf'>,
): Promise<readonly number[]> {
  const { sql, values } = narrowed(where)
  const { weight, seq } = behind ?? { weight: Number.MAX_VALUE, seq: Number.MAX_SAFE_INTEGER }
  const heavy =
    weight === 0
      ? []
      : await connection.rows(WEIGHTY(sql), kind, weight, seq, ...values, atMost(limit))
  const left = atMost(limit) - heavy.length
  const last = weight === 0 ? seq : Number.MAX_SAFE_INTEGER
  const light =
    left === 0 ? [] : await connection.rows(WEIGHTLESS(sql), kind, last, ...values, left)
  return keysIn([...heavy, ...light])
}

const SHELF = `
  SELECT ${MET}, ${selected(['weight', 'line'], 'm')}
  FROM ${listedKeys('bigint')}
    ${each('memories', 'seq', 'j.key')} ${WITH_SEALED}
  ORDER BY j.at`

export async function shelf(
  connection: Connection,
  query: Asked<'shelf'>,
): Promise<readonly ShelvedMemory[]> {
  const { kind, by, behind, limit, where = {} } = query
  const keys =
    by === 'weight'
      ? await keysByWeight(connection, query)
      : await keysByAge(connection, { kind, before: behind?.seq ?? null, limit, where })
  if (keys.length === 0) return []
  const rows = (await connection.rows(SHELF, listOf(keys))).map((row) => withText(row))
  const found = rows.map((row) =>
    shelvedOf(row, {
      seldom: seldomIn(row),
      sealed: row[SEALED_AT],
      weight: row[SEALED_AT + 1],
      line: row[SEALED_AT + 2],
    }),
  )
  return withNotes(connection, found)
}

// A capture that was set aside goes with the memory that it was captured for.
const WAITING = `
  SELECT m.seq FROM memories m
  WHERE m.stack_id = $1 AND m.review = ANY (?::text[]) AND m.seq < ?
    AND NOT (m.captured = 1 AND m.review = 'quarantine')
  ORDER BY m.seq DESC LIMIT ?`

export async function waiting(
  connection: Connection,
  { kinds, before, limit }: Asked<'review'>,
): Promise<readonly StoredMemory[]> {
  const asked = [listOf(kinds), atMost(before ?? Infinity), atMost(limit)]
  const rows = await connection.rows(WAITING, ...asked)
  return storedWith(connection, keysIn(rows))
}

export const keysIn = (rows: readonly (readonly PgValue[])[]): readonly number[] =>
  rows.map(([key]) => Number(key))

const KEYED = `
  SELECT ${STORED} FROM ${listedKeys('bigint')}
    ${each('memories', 'seq', 'j.key')} ${WITH_SEALED}
  ORDER BY j.at`

/** The memories of these keys, in this order. */
export async function storedWith(
  connection: Connection,
  keys: readonly number[],
): Promise<readonly StoredMemory[]> {
  if (keys.length === 0) return []
  const rows = await connection.rows(KEYED, listOf(keys))
  return withNotes(connection, rows.map(storedOf))
}

const KEPT = (conditions: string): string => `
  SELECT m.seq FROM ${listedKeys('bigint')}
    ${each('memories', 'seq', 'j.key')}
  WHERE m.kind = ANY (?::text[])${conditions} ORDER BY j.at LIMIT ?`

interface Keeping {
  readonly kinds: readonly string[]
  readonly where: Conditions
  /** No more of them than this. */
  readonly limit?: number
}

/** Those of the keys that are of these kinds and meet the conditions, in their order. */
export async function keptOf(
  connection: Connection,
  keys: readonly number[],
  { kinds, where, limit = keys.length }: Keeping,
): Promise<readonly number[]> {
  if (keys.length === 0) return []
  const { sql, values } = where
  const asked = [listOf(keys), listOf(kinds), ...values, atMost(limit)]
  return keysIn(await connection.rows(KEPT(sql), ...asked))
}
