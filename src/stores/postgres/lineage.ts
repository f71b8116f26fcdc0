import { LimitError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Reach } from '../../domain/waist.ts'
import type { MetMemory, ReadQuery } from '../../ports/store.ts'
import { each, every, listed } from './columns.ts'
import type { Connection } from './connection.ts'
import { keysIn } from './listing.ts'
import { type Link, metWith } from './met-rows.ts'
import { listOf } from './text.ts'

const KEYS = `
  SELECT m.seq FROM ${listed('text', '$2')} ${each('memories', 'ref', 'j.key')}
  UNION ALL
  SELECT a.key FROM ${listed('text', '$2')} ${each('absent', 'ref', 'j.key', 'a')}`

/** Integer keys of memories and of absent parents; a ref that nobody ever named has none. */
const keysOf = async (connection: Connection, refs: readonly Ref[]): Promise<readonly number[]> =>
  keysIn(await connection.rows(KEYS, listOf(refs)))

// UNION keeps each key once, which ends the walk on any graph; no more is walked than is asked for.
const walk = (from: string, to: string): string => `
  WITH RECURSIVE walk (key) AS (
    SELECT key FROM unnest(?::bigint[]) AS start (key)
    UNION SELECT e.${to} FROM walk w ${every('edges', from, 'w.key', 'e')}
  )`

const UP = walk('child', 'parent')
const DOWN = walk('parent', 'child')

const LINKS = `
  SELECT e.child, e.parent FROM ${listed('bigint')} ${every('edges', 'child', 'j.key', 'e')}
  ORDER BY e.child, e.position`

async function linksOf(connection: Connection, keys: readonly number[]): Promise<readonly Link[]> {
  const rows = await connection.rows(LINKS, listOf(keys))
  return rows.map(([child, parent]): Link => [Number(child), Number(parent)])
}

/** Every key on the way, nearest first, or null when there are more than `visitMax` (BOUND-LOUD). */
export async function lineage(
  connection: Connection,
  { ref, direction, visitMax }: Extract<ReadQuery, { type: 'lineage' }>,
): Promise<readonly MetMemory[] | null> {
  const start = await keysOf(connection, [ref])
  const sql = `${direction === 'up' ? UP : DOWN} SELECT key FROM walk LIMIT ?`
  const keys = keysIn(await connection.rows(sql, listOf(start), visitMax + 1))
  // A ref that is nowhere still counts as the one place that was looked at.
  if (Math.max(keys.length, 1) > visitMax) return null
  const links = await linksOf(connection, keys)
  const steps = direction === 'up' ? links : links.map(([child, parent]): Link => [parent, child])
  return metWith(connection, nearestFirst(start, steps), links)
}

/** In the order in which a walk along the links meets them. */
function nearestFirst(start: readonly number[], steps: readonly Link[]): readonly number[] {
  const next = new Map<number, number[]>()
  for (const [from, to] of steps) {
    const known = next.get(from)
    if (known) known.push(to)
    else next.set(from, [to])
  }
  const met = new Set(start)
  for (const key of met) for (const neighbour of next.get(key) ?? []) met.add(neighbour)
  return [...met]
}

/** Counted along edges alone: no memory is read. */
export async function descendants(
  connection: Connection,
  { ref, visitMax }: Extract<ReadQuery, { type: 'descendants' }>,
): Promise<number | null> {
  const start = await keysOf(connection, [ref])
  const sql = `${DOWN} SELECT count(*) FROM (SELECT key FROM walk LIMIT ?) met`
  const row = await connection.row(sql, listOf(start), visitMax + 1)
  const count = Number(row?.[0] ?? 0)
  if (Math.max(count, 1) > visitMax) return null
  return Math.max(0, count - 1)
}

const CHILDREN = `
  SELECT DISTINCT e.child FROM edges e WHERE e.stack_id = $1 AND e.parent = ?
  ORDER BY e.child LIMIT ?`

/** The oldest children of a memory, or of one that was only ever named; each once. */
export async function childKeys(
  connection: Connection,
  ref: Ref,
  limit: number,
): Promise<readonly number[]> {
  const parents = await keysOf(connection, [ref])
  const found = await Promise.all(parents.map((key) => connection.rows(CHILDREN, key, limit)))
  return found.flatMap(keysIn)
}

/** The given memories and everything they descend from, in one walk (BOUND-LOUD). */
export async function ancestorKeys(
  connection: Connection,
  refs: readonly Ref[],
): Promise<readonly number[]> {
  if (refs.length === 0) return []
  const max = LIMITS.lineageVisitMax
  const start = listOf(await keysOf(connection, refs))
  const keys = keysIn(await connection.rows(`${UP} SELECT key FROM walk LIMIT ?`, start, max + 1))
  if (keys.length > max) throw new LimitError('lineageVisitMax', max, keys.length)
  return keys
}

const REACHED = `${UP} SELECT 1 FROM walk WHERE key = ? LIMIT 1`

export async function doesReach(connection: Connection, { from, to }: Reach): Promise<boolean> {
  if (from.includes(to)) return true
  const [target] = await keysOf(connection, [to])
  if (target === undefined) return false
  const start = listOf(await keysOf(connection, from))
  return (await connection.row(REACHED, start, target)) !== undefined
}
