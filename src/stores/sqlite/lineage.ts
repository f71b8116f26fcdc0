import { LimitError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Reach } from '../../domain/waist.ts'
import type { MetMemory, ReadQuery } from '../../ports/store.ts'
import type { SqlValue } from '../sql/values.ts'
import type { Connection } from './connection.ts'
import { metWith } from './met-rows.ts'

const KEYS = `
  SELECT f.seq FROM json_each(?) j CROSS JOIN memories f ON f.ref = j.value
  UNION ALL SELECT a.key FROM json_each(?) j CROSS JOIN absent a ON a.ref = j.value`

/** Integer keys of memories and of absent parents; a ref that nobody ever named has none. */
function keysOf(connection: Connection, refs: readonly Ref[]): readonly SqlValue[] {
  const listed = JSON.stringify(refs)
  return connection
    .prepare(KEYS)
    .all(listed, listed)
    .flatMap(([key]) => key ?? [])
}

// UNION keeps each key once, which ends the walk on any graph; rows leave the queue in the order
// in which they came, so that the nearest come first.
const walk = (from: string, to: string): string => `
  WITH RECURSIVE walk (key) AS (
    SELECT value FROM json_each(?)
    UNION SELECT e.${to} FROM walk w CROSS JOIN edges e ON e.${from} = w.key
  )`

const UP = walk('child', 'parent')
const DOWN = walk('parent', 'child')

/** Every key on the way, or null when there are more than `visitMax` (BOUND-LOUD). */
export function lineage(
  connection: Connection,
  { ref, direction, visitMax }: Extract<ReadQuery, { type: 'lineage' }>,
): readonly MetMemory[] | null {
  return connection.atOnce(() => {
    const start = JSON.stringify(keysOf(connection, [ref]))
    // In one list, as it is asked for next: a row for each key would cost more than the step to it.
    const sql = `${direction === 'up' ? UP : DOWN}
      SELECT count(*), json_group_array(key) FROM (SELECT key FROM walk LIMIT +?)`
    const [count = 0, keys = '[]'] = connection.prepare(sql).get(start, visitMax + 1) ?? []
    // A ref that is nowhere still counts as the one place that was looked at.
    if (Math.max(Number(count), 1) > visitMax) return null
    return metWith(connection, String(keys))
  })
}

/** Counted along edges alone: no memory is read. */
export function descendants(
  connection: Connection,
  { ref, visitMax }: Extract<ReadQuery, { type: 'descendants' }>,
): number | null {
  const start = JSON.stringify(keysOf(connection, [ref]))
  const sql = `${DOWN} SELECT count(*) FROM (SELECT key FROM walk LIMIT +?)`
  const [count = 0] = connection.prepare(sql).get(start, visitMax + 1) ?? []
  if (Math.max(Number(count), 1) > visitMax) return null
  return Math.max(0, Number(count) - 1)
}

const CHILDREN = `
  SELECT DISTINCT e.child FROM edges e WHERE e.parent = ? ORDER BY e.child LIMIT +?`

/** The oldest children of a memory, or of one that was only ever named; each once. */
export const childKeys = (connection: Connection, ref: Ref, limit: number): readonly SqlValue[] =>
  keysOf(connection, [ref])
    .flatMap((parent) => connection.prepare(CHILDREN).all(parent, limit))
    .flatMap(([key]) => key ?? [])

/** The given memories and everything they descend from, in one walk (BOUND-LOUD). */
export function ancestorKeys(connection: Connection, refs: readonly Ref[]): readonly SqlValue[] {
  if (refs.length === 0) return []
  const max = LIMITS.lineageVisitMax
  const start = JSON.stringify(keysOf(connection, refs))
  const keys = connection.prepare(`${UP} SELECT key FROM walk LIMIT +?`).all(start, max + 1)
  if (keys.length > max) throw new LimitError('lineageVisitMax', max, keys.length)
  return keys.flatMap(([key]) => key ?? [])
}

const REACHED = `${UP} SELECT 1 FROM walk WHERE key = ? LIMIT 1`

export function doesReach(connection: Connection, { from, to }: Reach): boolean {
  if (from.includes(to)) return true
  const [target] = keysOf(connection, [to])
  if (target === undefined) return false
  const start = JSON.stringify(keysOf(connection, from))
  return connection.prepare(REACHED).get(start, target) !== undefined
}
