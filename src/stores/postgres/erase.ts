import type { Entry } from '../../domain/entry.ts'
import { type ErasedRows, isSaidBy } from '../../domain/erasure.ts'
import type { Hash } from '../../domain/ids.ts'
import type { Connection } from './connection.ts'
import type { PgValue } from './driver.ts'
import { keyOf, listOf } from './text.ts'
import { dropTexts } from './words.ts'

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
