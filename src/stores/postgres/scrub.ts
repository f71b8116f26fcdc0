import type { Connection } from './connection.ts'
import type { PgClient } from './driver.ts'
import { listOf } from './text.ts'

const decoder = new TextDecoder()

const PENDING = `
  SELECT s.entry, l.bytes FROM scrubs s
    JOIN provenance_log l ON l.stack_id = $1 AND l.seq = s.entry WHERE s.stack_id = $1`
const LEFT = `
  SELECT l.seq, l.bytes FROM sealed s JOIN provenance_log l ON l.stack_id = $1 AND l.seq = s.seq
  WHERE s.stack_id = $1 AND l.seq < ? AND position(convert_to(?, 'UTF8') IN l.bytes) > 0`
const NOTE = `
  INSERT INTO erasures (stack_id, seq, entry) VALUES ($1, ?, ?)
  ON CONFLICT (stack_id, seq) DO NOTHING`
const DROP = 'DELETE FROM sealed WHERE stack_id = $1 AND seq = ?'
const TOUCH = 'UPDATE scrubs SET entry = entry WHERE stack_id = $1'
const TOLD = 'SELECT pg_stat_force_next_flush()::text WHERE $1::text IS NOT NULL'
const DONE = 'DELETE FROM scrubs WHERE stack_id = $1 AND entry = ANY (?::bigint[])'

/** The ref in the bytes of an entry; null when unreadable. */
function refIn(bytes: unknown): string | null {
  try {
    const { ref } = JSON.parse(decoder.decode(bytes as Uint8Array)) // a bytea
    return typeof ref === 'string' ? ref : null
  } catch {
    return null
  }
}

/** Rows are found by a copied ref, but destruction must follow the ref in the bytes. */
async function mend(connection: Connection): Promise<void> {
  for (const [entry = null, bytes] of await connection.rows(PENDING)) {
    const ref = refIn(bytes)
    if (ref === null) continue
    for (const [seq = null, told] of await connection.rows(LEFT, entry, `"ref":"${ref}"`)) {
      if (refIn(told) !== ref) continue
      await connection.rows(NOTE, seq, entry)
      await connection.rows(DROP, seq)
    }
  }
  // Temporary rows of this transaction, by which `vacuum` sees the removable rows.
  await connection.rows(TOUCH)
  await connection.rows(TOLD)
}

/** Tables with words, or with data derived from words. */
const HOLDING = ['sealed', 'memories', 'words', 'postings', 'vectors', 'tallies', 'bursts']

/** Vacuumed first: rows removable here are removable in all other tables. */
const FIRST = 'scrubs'

const VACUUMED = `
  SELECT c.oid::bigint, pg_stat_get_vacuum_count(c.oid),
    CASE WHEN c.relname = '${FIRST}' THEN pg_stat_get_dead_tuples(c.oid) ELSE 0 END
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
  WHERE n.nspname = $1 AND c.relkind = 'r' AND coalesce(p.relname, c.relname) = ANY ($2::text[])`

/**
 * Deleted rows lie in their pages until a vacuum. False when PostgreSQL skips a table (only a
 * warning without the right to vacuum), or when an open snapshot still needs the rows. The server's
 * log, replicas and backups are out of reach: their operator knows their retention.
 */
async function vacuum(client: PgClient, schema: string): Promise<boolean> {
  const tables = [FIRST, ...HOLDING]
  const look = () => client.query(VACUUMED, [schema, listOf(tables)])
  const before = new Map((await look()).map(([table, count]) => [table, Number(count)]))
  for (const some of [[FIRST], HOLDING]) {
    await client.exec(`VACUUM ${some.map((table) => `${schema}.${table}`).join(', ')}`)
  }
  return (await look()).every(([table = null, count, dead]) => {
    return Number(count) > (before.get(table) ?? 0) && Number(dead) === 0
  })
}

const BYTES = `
  SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relkind = 'r'`

async function bytes(client: PgClient, schema: string): Promise<number> {
  const [row] = await client.query(BYTES, [schema])
  return Number(row?.[0] ?? 0)
}

async function done(connection: Connection, entries: readonly number[]): Promise<void> {
  await connection.rows(DONE, listOf(entries))
}

export const scrub = { mend, vacuum, bytes, done } as const
