import type { Entry } from '../../domain/entry.ts'
import { type ErasedRows, isSaidBy } from '../../domain/erasure.ts'
import { assert } from '../../domain/errors.ts'
import type { Hash } from '../../domain/ids.ts'
import type { TextRow } from '../../domain/kinds/content.ts'
import type { MemoryState } from '../../domain/state.ts'
import { type Head, isSameHead } from '../../domain/waist.ts'
import type { CommitResult, Derived } from '../../ports/store.ts'
import { policiesOf } from '../sql/entry-rows.ts'
import { assertWhole, lastEntry, moveHead, PUT_POLICY, putEdges, putMemories } from './commit.ts'
import type { Connection } from './connection.ts'
import { dropTexts, putWords, wordRowsOf } from './derived-rows.ts'
import { keyOf, listOf, POSTGRES } from './dialect.ts'
import type { PgClient, PgValue } from './drivers.ts'

const decoder = new TextDecoder()

/** The entry in the bytes; null when unreadable. */
function told(bytes: PgValue | undefined): Entry | null {
  try {
    return JSON.parse(decoder.decode(bytes as Uint8Array)) as Entry // a bytea, written by the gate
  } catch {
    return null
  }
}

const NOT_ERASED = `
  NOT EXISTS (SELECT 1 FROM erasures x WHERE x.stack_id = $1 AND x.seq = l.seq)`
const ABOUT = `
  SELECT l.seq, l.bytes FROM provenance_log l
  WHERE l.stack_id = $1 AND l.ref = ? AND l.seq < ? AND ${NOT_ERASED}`
// Only entries with the pseudonym in their text are parsed: a pseudonym stands nowhere else.
const NAMING = `
  SELECT l.seq, l.bytes FROM provenance_log l
  WHERE l.stack_id = $1 AND l.seq < ? AND position(convert_to(?, 'UTF8') IN l.bytes) > 0
    AND ${NOT_ERASED}`

const NOTE_ERASED = `
  INSERT INTO erasures (stack_id, seq, entry) SELECT $1, seq, ? FROM unnest(?::bigint[]) AS n (seq)`
const DROP_SEALED = 'DELETE FROM sealed WHERE stack_id = $1 AND seq = ANY (?::bigint[])'
const DROP_VECTORS = `
  DELETE FROM vectors WHERE stack_id = $1 AND seq = ?
    AND model IN (SELECT key FROM vector_models WHERE stack_id = $1)`
const DROP_TALLIES = 'DELETE FROM tallies WHERE stack_id = $1 AND about = ?'
const DROP_BURSTS = `DELETE FROM bursts WHERE stack_id = $1 AND identity = decode(?, 'hex')`
const NOTE_SCRUB = `
  INSERT INTO scrubs (stack_id, entry) VALUES ($1, ?) ON CONFLICT (stack_id, entry) DO NOTHING`

/** Deletes all that a batch destroys, in the batch's transaction; the bytes go with the scrub. */
export async function eraseFrom(connection: Connection, erased: ErasedRows): Promise<void> {
  for (const { ref, birth, entry, identities } of erased.memories) {
    const about = await connection.rows(ABOUT, ref, entry)
    const sealing = about.filter(([, bytes]) => (told(bytes)?.commitment ?? null) !== null)
    await drop(
      connection,
      sealing.map(([seq]) => Number(seq)),
      entry,
    )
    await dropTexts(connection, [birth])
    await connection.rows(DROP_VECTORS, birth)
    await connection.rows(DROP_TALLIES, ref)
    for (const identity of identities) await connection.rows(DROP_BURSTS, identity)
    await connection.rows(NOTE_SCRUB, entry)
  }
  for (const actor of erased.actors) await eraseActor(connection, actor)
  for (const mark of erased.lifted) await connection.rows(LIFT, mark)
}

async function drop(connection: Connection, seqs: readonly number[], entry: number): Promise<void> {
  if (seqs.length === 0) return
  await connection.rows(NOTE_ERASED, entry, listOf(seqs))
  await connection.rows(DROP_SEALED, listOf(seqs))
}

const DROP_KEY = 'DELETE FROM actor_keys WHERE stack_id = $1 AND actor_key = ?'
const DROP_COUNTED = 'DELETE FROM tallies WHERE stack_id = $1 AND actor_key = ?'
const ATTESTED = `SELECT t.key, t.key_key::text FROM tallies t WHERE t.stack_id = $1 AND starts_with(t.key, '["attested",')`
const DROP_TALLY = 'DELETE FROM tallies WHERE stack_id = $1 AND key_key = ?::uuid'
const DROP_REPEATS = 'DELETE FROM bursts WHERE stack_id = $1 AND actor_key = ?'
const LIFT = `DELETE FROM tombstones WHERE stack_id = $1 AND mark = decode(?, 'hex')`

async function eraseActor(
  connection: Connection,
  { actor, pseudonym, entry }: ErasedRows['actors'][number],
): Promise<void> {
  await eraseSaidBy(connection, pseudonym, entry)
  for (const [key, keyKey = null] of await connection.rows(ATTESTED)) {
    // The actor who attested is part of the key under which repeats are counted.
    const [, , teller] = JSON.parse(String(key)) as readonly unknown[] // made by the gate
    if (teller === actor) await connection.rows(DROP_TALLY, keyKey)
  }
  for (const sql of [DROP_KEY, DROP_COUNTED, DROP_REPEATS]) {
    await connection.rows(sql, keyOf(actor))
  }
  await connection.rows(NOTE_SCRUB, entry)
}

/** Everything an actor said about any memory. */
async function eraseSaidBy(connection: Connection, pseudonym: Hash, entry: number): Promise<void> {
  const naming = await connection.rows(NAMING, entry, pseudonym)
  const said = naming.filter(([, bytes]) => {
    const entryTold = told(bytes)
    return entryTold !== null && isSaidBy(pseudonym, entryTold)
  })
  await drop(
    connection,
    said.map(([seq]) => Number(seq)),
    entry,
  )
}

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

const CLEARED = [
  'edges',
  'absent',
  'memories',
  'policies',
  'vectors',
  'vector_models',
  'postings',
  'words',
] as const

const FORGET_COUNTS = 'UPDATE stacks SET documents = 0, lengths = 0 WHERE stack_id = $1'

const AT_ONCE = 1_000 // rows put in at a time

interface Replacing {
  readonly derived: Derived
  readonly expected: Head
  readonly mark: string
}

/** Replaces the derived rows with rows folded anew (STORE-REBUILD). */
export async function replaceDerived(
  connection: Connection,
  { derived, expected, mark }: Replacing,
): Promise<CommitResult> {
  const { head } = (await connection.standing()).tip
  if (!isSameHead(head, expected)) return { committed: false, head }
  assert(derived.tip.head.rev === expected.rev + 1, 'every commit raises rev by one')
  assertWhole(derived.tip.head, await lastEntry(connection))
  for (const table of CLEARED) {
    await connection.rows(`DELETE FROM ${table} WHERE stack_id = $1`)
  }
  for (const { hash, seq } of await connection.run(policiesOf(POSTGRES))) {
    await connection.rows(PUT_POLICY, hash, seq)
  }
  await connection.rows(FORGET_COUNTS)
  for (const some of inParts<MemoryState>(derived.states)) {
    await putMemories(connection, some)
    await putEdges(connection, some, { lastSeq: -1, keys: new Map(), mayAdopt: true })
  }
  let [documents, lengths] = [0, 0]
  for (const some of inParts<TextRow>(derived.texts)) {
    const words = wordRowsOf(some)
    await putWords(connection, words, -1)
    documents += words.documents
    lengths += words.lengths
  }
  await moveHead(connection, { ...derived, words: { documents, lengths }, expected, mark })
  return { committed: true }
}

function* inParts<Row>(rows: Iterable<Row>): Generator<readonly Row[]> {
  let some: Row[] = []
  for (const row of rows) {
    some.push(row)
    if (some.length < AT_ONCE) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}
