import type { SqlDatabase } from './connection.ts'
import { type Connection, nextRound, patiently } from './connection.ts'
import { dropMisfiled, hasMisfiled, lastPending, noteScrubbed } from './erase.ts'
import { guarded, isBusy } from './faults.ts'
import { FilePages } from './unused-bytes.ts'

interface Scrubbing {
  /** A connection for the scrub alone: its small commits make every other connection read anew. */
  readonly connection: Connection
  /** The patience of each step with other processes. */
  readonly waitMsMax: number
  /** Pages for which the write lock is held, which takes some milliseconds. */
  readonly pagesAtOnce?: number
}

const ENTRIES_AT_ONCE = 20_000 // looked at between two turns of the event loop
const PAGES_AT_ONCE = 4_096 // 16 MB

// Pages beyond could be mistaken for another kind of page; a file of 137 GB is copied instead.
const PAGES_MAX = 2 ** 25

/**
 * Destroys the bytes that erasures left in a file, in small steps between which everyone reads and
 * writes; false while another connection reads an older state, because the log must keep its pages.
 *
 * SQLite overwrites what it deletes (`secure_delete`). Left are copies of moved rows in unused bytes
 * of pages, and the log.
 */
export async function scrubFile(scrubbing: Scrubbing): Promise<boolean> {
  const { connection, waitMsMax, pagesAtOnce = PAGES_AT_ONCE } = scrubbing
  const { path, db } = connection
  const step = <T>(work: () => T): Promise<T> => patiently(waitMsMax, () => guarded(path, work))
  const last = await step(() => lastPending(connection))
  if (last === null) return true
  if (await findMisfiled(connection, last)) await step(() => dropMisfiled(connection))
  db.exec('PRAGMA synchronous = NORMAL') // a power cut may undo what was noted, and the scrub is repeated
  const pages = new FilePages(path, numberIn(db, 'PRAGMA page_size'))
  if (pages.count >= PAGES_MAX) await step(() => db.exec('VACUUM'))
  else if (!(await scrubPages(connection, pages, pagesAtOnce))) return false
  if (!(await soon(connection, isTruncated))) return false
  await step(() => noteScrubbed(connection, last))
  return soon(connection, isTruncated)
}

const TRIES_MS_MAX = 2_000 // how long other processes may be in the way of a step

/** Tries until it is done; a lock of another process counts as not done. */
async function soon(
  connection: Connection,
  work: (connection: Connection) => boolean,
): Promise<boolean> {
  const attempt = (): boolean => {
    try {
      return guarded(connection.path, () => work(connection))
    } catch (cause) {
      if (isBusy(cause)) return false
      throw cause
    }
  }
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    if (attempt()) return true
    if (waitedMs >= TRIES_MS_MAX) return false
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

const PAUSE_MS = 4

async function findMisfiled(connection: Connection, last: number): Promise<boolean> {
  for (let from = 0; from <= last; from += ENTRIES_AT_ONCE) {
    if (hasMisfiled(connection, from, Math.min(from + ENTRIES_AT_ONCE, last + 1))) return true
    await nextRound()
  }
  return false
}

async function scrubPages(
  connection: Connection,
  pages: FilePages,
  atOnce: number,
): Promise<boolean> {
  for (let from = 0; from < pages.count; from += atOnce) {
    const zero = () => pages.zeroUnused(from, atOnce)
    if (!(await soon(connection, () => withoutLog(connection, zero)))) return false
    await nextRound()
  }
  pages.sync()
  return true
}

const versionOf = (db: SqlDatabase): number => numberIn(db, 'PRAGMA data_version')

/**
 * Works on the file while nobody can write to it: the log is copied into the file, and the write
 * lock keeps new commits away. False when a commit or an older reader was in the way.
 */
function withoutLog(connection: Connection, work: () => boolean): boolean {
  const { db } = connection
  const before = versionOf(db)
  const [, logged, copied] = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() ?? []
  if (logged !== copied) return false
  connection.begin('IMMEDIATE')
  try {
    if (versionOf(db) !== before) return false
    if (!work()) return true
    // Other connections keep pages in memory, unused bytes included, until they see a commit.
    db.exec(`PRAGMA user_version = ${numberIn(db, 'PRAGMA user_version')}`)
    connection.commit()
    return true
  } finally {
    connection.rollback()
  }
}

const numberIn = (db: SqlDatabase, sql: string): number => Number(db.prepare(sql).get()?.[0] ?? 0)

/** A first number above zero means another connection blocked the checkpoint. */
const isTruncated = ({ db }: Connection): boolean =>
  Number(db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.[0] ?? 1) === 0
