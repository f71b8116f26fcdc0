import type { Entry } from '../../domain/entry.ts'
import { type ErasedRows, isSaidBy } from '../../domain/erasure.ts'
import type { Hash } from '../../domain/ids.ts'
import type { Connection } from './connection.ts'
import { DELETE_WORDS_SECURELY } from './word-index.ts'

const NOTE_ERASED = `
  INSERT INTO erasures (seq, entry)
  SELECT e.seq, ? FROM entries e
  WHERE e.ref = ? AND e.seq < ? AND e.entry ->> '$.commitment' IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM erasures x WHERE x.seq = e.seq)`
// Selects by the memory's own entries, since erasures are found by position alone: scanning all
// erasures per memory is quadratic in an actor's memories.
const DROP_SEALED = `
  DELETE FROM sealed WHERE seq IN (
    SELECT e.seq FROM entries e CROSS JOIN erasures x ON x.seq = e.seq
    WHERE e.ref = ?1 AND e.seq < ?2 AND x.entry = ?2)`
const DROP_SAID = 'DELETE FROM sealed WHERE seq = ?'
const DROP_WORDS = 'DELETE FROM words WHERE rowid = ?'
// Deletes under every model by key.
const DROP_VECTORS = `
  DELETE FROM vectors WHERE seq = ? AND model IN (SELECT key FROM vector_models)`
const DROP_TALLIES = 'DELETE FROM tallies WHERE about = ?'
const DROP_BURSTS = 'DELETE FROM bursts WHERE identity = unhex(?)'
const NOTE_SCRUB = 'INSERT OR IGNORE INTO scrubs (entry) VALUES (?)'

const DROP_KEY = 'DELETE FROM actor_keys WHERE actor = ?'
// The actor who attested is part of the key under which repeats are counted.
const DROP_COUNTED = `
  DELETE FROM tallies WHERE actor = ?1 OR (key ->> 0 = 'attested' AND key ->> 2 = ?1)`
const DROP_REPEATS = 'DELETE FROM bursts WHERE actor = ?'
const LIFT = 'DELETE FROM tombstones WHERE mark = unhex(?)'

/** Deletes all that a batch destroys, in the batch's transaction; the bytes go with the scrub. */
export function eraseFrom(connection: Connection, { memories, actors, lifted }: ErasedRows): void {
  if (memories.length > 0) deleteWordsSecurely(connection)
  const run = (sql: string, ...values: readonly (string | number)[]): void => {
    connection.prepare(sql).run(...values)
  }
  for (const { ref, birth, entry, identities } of memories) {
    run(NOTE_ERASED, entry, ref, entry)
    run(DROP_SEALED, ref, entry)
    run(DROP_WORDS, birth)
    run(DROP_VECTORS, birth)
    run(DROP_TALLIES, ref)
    for (const identity of identities) run(DROP_BURSTS, identity)
    run(NOTE_SCRUB, entry)
  }
  for (const { actor, pseudonym, entry } of actors) {
    eraseSaidBy(connection, pseudonym, entry)
    run(DROP_KEY, actor)
    run(DROP_COUNTED, actor)
    run(DROP_REPEATS, actor)
    run(NOTE_SCRUB, entry)
  }
  for (const mark of lifted) run(LIFT, mark)
}

// Only entries with the pseudonym in their text are parsed: a pseudonym stands nowhere else.
const NAMING = `
  SELECT e.seq, e.entry FROM entries e
  WHERE e.seq < ? AND instr(e.entry, ?) > 0 AND json_valid(e.entry)
    AND NOT EXISTS (SELECT 1 FROM erasures x WHERE x.seq = e.seq)`
const NOTE_SAID = 'INSERT INTO erasures (seq, entry) VALUES (?, ?)'

/** Everything an actor said about any memory. */
function eraseSaidBy(connection: Connection, pseudonym: Hash, entry: number): void {
  const said = connection.prepare(NAMING).all(entry, pseudonym)
  for (const [seq, text] of said) {
    const told: Entry = JSON.parse(String(text))
    if (!isSaidBy(pseudonym, told)) continue
    connection.prepare(NOTE_SAID).run(Number(seq), entry)
    connection.prepare(DROP_SAID).run(Number(seq))
  }
}

/** Entries up to the last pending erasure; null when no erasure waits for its scrub. */
export function lastPending({ db }: Pick<Connection, 'db'>): number | null {
  const [last = null] = db.prepare('SELECT max(entry) FROM scrubs').get() ?? []
  return last === null ? null : Number(last)
}

/** Erasures that began before the scrub are done; later ones wait for the next scrub. */
export const noteScrubbed = ({ db }: Pick<Connection, 'db'>, last: number): void => {
  db.prepare('DELETE FROM scrubs WHERE entry <= ?').run(last)
}

/** A member of an entry's own bytes; NULL where they cannot be read. */
const told = (of: string, path: string): string =>
  `CASE WHEN json_valid(${of}.entry) THEN ${of}.entry ->> '$.${path}' END`

// Rows are found by a copied ref, but destruction must follow the ref in the bytes: these entries
// are without their copy at its one canonical place.
const IS_MISFILED = `
  instr(e.entry, coalesce('"ref":"' || e.ref || '"', '"ref":null') || ',"replica":') = 0`

const MISFILED = `
  SELECT count(*) FROM entries e WHERE e.seq >= ? AND e.seq < ? AND ${IS_MISFILED}`

/** True if an entry of a range is found by another ref than its own. */
export const hasMisfiled = (connection: Connection, from: number, to: number): boolean =>
  Number(connection.prepare(MISFILED).get(from, to)?.[0]) > 0

// Only misfiled entries are parsed, because parsing all takes long. Each list is materialized,
// because the join alone is quadratic in the ledger.
const NOTE_MISFILED = `
  INSERT INTO erasures (seq, entry)
  WITH astray AS MATERIALIZED (
      SELECT e.seq, ${told('e', 'ref')} AS ref, ${told('e', 'commitment')} AS commitment
      FROM entries e WHERE ${IS_MISFILED}),
    gone AS MATERIALIZED (
      SELECT s.entry, ${told('x', 'ref')} AS ref
      FROM scrubs s CROSS JOIN entries x ON x.seq = s.entry)
  SELECT a.seq, min(g.entry) FROM astray a CROSS JOIN gone g ON g.ref = a.ref
  WHERE a.seq < g.entry AND a.commitment IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM erasures y WHERE y.seq = a.seq)
  GROUP BY a.seq`
const DROP_MISFILED = `
  DELETE FROM sealed
  WHERE seq IN (SELECT seq FROM erasures WHERE entry IN (SELECT entry FROM scrubs))`

export function dropMisfiled(connection: Connection): void {
  connection.begin('IMMEDIATE')
  try {
    for (const sql of [NOTE_MISFILED, DROP_MISFILED]) connection.prepare(sql).run()
    connection.commit()
  } catch (cause) {
    connection.rollback()
    throw cause
  }
}

const DELETES_SECURELY = "SELECT v FROM words_config WHERE k = 'secure-delete'"

/**
 * Makes the index overwrite deleted words from now on. An index that did not do so yet is merged
 * once, because words of earlier revisions may lie in it.
 */
export function deleteWordsSecurely({ db }: Pick<Connection, 'db'>): void {
  if (Number(db.prepare(DELETES_SECURELY).get()?.[0] ?? 0) === 1) return
  db.exec(`${DELETE_WORDS_SECURELY}; INSERT INTO words (words) VALUES ('optimize')`)
}

/** A stack in memory is copied without its gaps. */
export function scrubMemory(connection: Connection): boolean {
  const last = lastPending(connection)
  if (last === null) return true
  dropMisfiled(connection)
  connection.db.exec('VACUUM')
  noteScrubbed(connection, last)
  return true
}
