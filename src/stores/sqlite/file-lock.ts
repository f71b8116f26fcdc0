import { existsSync, statSync } from 'node:fs'
import type { SqlDatabase, SqlDriver } from './driver.ts'
import { faultNamed, faultOf, isBusy } from './faults.ts'
import { assertFullLength } from './file-length.ts'

const WAIT_MS = 1_000 // time for a closing process to finish

/** Leaving WAL mode moves the log into the file and removes the log; SQLite refuses while others have the file open. */
const LOCK = `
  PRAGMA busy_timeout = ${WAIT_MS};
  PRAGMA journal_mode = DELETE;
  BEGIN EXCLUSIVE;`

/** A lock on a stack's file against reads and writes of other processes, until `release`. */
export interface FileLock {
  release(): void
}

/**
 * Moves the log into the file and locks the file, so that a rename takes all acknowledged commits
 * along. Null when SQLite cannot open the file: no process writes to a damaged file, and its log
 * stays.
 */
export function lockFile(path: string, driver: SqlDriver): FileLock | null {
  if (!isReadable(path, driver)) return null
  const db = driver.open(path, { readOnly: false })
  try {
    db.exec(LOCK)
    if (existsSync(`${path}-wal`)) throw faultNamed('store_busy', path)
  } catch (cause) {
    db.close()
    throw faultOf(cause, path)
  }
  let isHeld = true
  return {
    release: () => {
      if (isHeld) db.close()
      isHeld = false
    },
  }
}

/** Read-only, because SQLite would move the log into a damaged file on closing. */
function isReadable(path: string, driver: SqlDriver): boolean {
  // SQLite deletes the log of an empty file.
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return false
  let db: SqlDatabase | null = null
  try {
    db = driver.open(path, { readOnly: true })
    db.exec(`PRAGMA busy_timeout = ${WAIT_MS}`)
    assertFullLength(db, { path, driver })
    return true
  } catch (cause) {
    if (isBusy(faultOf(cause, path))) throw faultOf(cause, path)
    return false
  } finally {
    db?.close()
  }
}
