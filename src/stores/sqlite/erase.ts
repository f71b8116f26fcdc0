import type { ErasedRows } from '../../domain/erasure.ts'
import type { Connection } from './connection.ts'

// Leaves no deleted word in the index; kept with it from then on.
const SECURELY = "INSERT INTO words (words, rank) VALUES ('secure-delete', 1)"

const NOTE_ERASED = `
  INSERT INTO erasures (seq, entry)
  SELECT e.seq, ? FROM entries e
  WHERE e.ref = ? AND e.seq < ? AND e.entry ->> '$.commitment' IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM erasures x WHERE x.seq = e.seq)`
const DROP_SEALED = 'DELETE FROM sealed WHERE seq IN (SELECT seq FROM erasures WHERE entry = ?)'
const DROP_WORDS = 'DELETE FROM words WHERE rowid = ?'
const DROP_TALLIES = 'DELETE FROM tallies WHERE about = ?'
const DROP_BURSTS = 'DELETE FROM bursts WHERE identity = unhex(?)'
const NOTE_SCRUB = 'INSERT OR IGNORE INTO scrubs (entry) VALUES (?)'

const DROP_KEY = 'DELETE FROM actor_keys WHERE actor = ?'
// Who attested something is part of the key under which repeats of it are counted.
const DROP_COUNTED = `
  DELETE FROM tallies WHERE actor = ?1 OR (key ->> 0 = 'attested' AND key ->> 2 = ?1)`
const DROP_REPEATS = 'DELETE FROM bursts WHERE actor = ?'
const LIFT = 'DELETE FROM tombstones WHERE mark = unhex(?)'

/** Takes out what a batch destroys, in its own transaction; the bytes go when it is scrubbed. */
export function eraseFrom(connection: Connection, { memories, actors, lifted }: ErasedRows): void {
  if (memories.length > 0) connection.db.exec(SECURELY)
  const run = (sql: string, ...values: readonly (string | number)[]): void => {
    connection.prepare(sql).run(...values)
  }
  for (const { ref, birth, entry, identities } of memories) {
    run(NOTE_ERASED, entry, ref, entry)
    run(DROP_SEALED, entry)
    run(DROP_WORDS, birth)
    run(DROP_TALLIES, ref)
    for (const identity of identities) run(DROP_BURSTS, identity)
    run(NOTE_SCRUB, entry)
  }
  for (const { actor, entry } of actors) {
    run(DROP_KEY, actor)
    run(DROP_COUNTED, actor)
    run(DROP_REPEATS, actor)
    run(NOTE_SCRUB, entry)
  }
  for (const mark of lifted) run(LIFT, mark)
}

// Merging the index into one drops what was deleted from it; copying the file drops free pages, and
// the log then holds only what the copy holds.
const SCRUB = "INSERT INTO words (words) VALUES ('optimize'); VACUUM;"
const TRUNCATE = 'PRAGMA wal_checkpoint(TRUNCATE)'

/** False while somebody reads an older state, whose pages the log must still hold. */
export function scrub({ db }: Connection): boolean {
  const [pending] = db.prepare('SELECT count(*) FROM scrubs').get() ?? []
  if (Number(pending) === 0) return true
  db.exec(SCRUB)
  if (!isTruncated(db.prepare(TRUNCATE).get())) return false
  db.exec('DELETE FROM scrubs')
  db.prepare(TRUNCATE).get()
  return true
}

/** The first number says that somebody was in the way. */
const isTruncated = (row: readonly unknown[] | undefined): boolean => Number(row?.[0] ?? 1) === 0
