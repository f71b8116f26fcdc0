import { pathToFileURL } from 'node:url'
import { Connection } from './connection.ts'
import { createDatabase, PAGE_BYTES } from './create-database.ts'
import type { SqlDriver } from './driver.ts'
import { IN_MEMORY, leftAt } from './files.ts'
import { migrate } from './migrate.ts'

const CACHE_KIB = 65_536 // what the keys of 100,000 memories take up: their hashes lie anywhere among them
const CHECKPOINT_PAGES = 8_000 // 32 MB of log before it is moved into the file
const LOG_BYTES_KEPT = 67_108_864 // what a log that once grew larger is cut back to

const COMMON = `
  PRAGMA foreign_keys = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA trusted_schema = OFF;
  PRAGMA cell_size_check = ON;
  PRAGMA cache_size = -${CACHE_KIB};`

// secure_delete overwrites what is deleted; nothing is deleted in the usual course, so it is free.
const WRITING = `
  PRAGMA page_size = ${PAGE_BYTES};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
  PRAGMA journal_size_limit = ${LOG_BYTES_KEPT};
  PRAGMA busy_timeout = 0;`

export interface Opening {
  readonly path: string
  readonly driver: SqlDriver
  readonly busyTimeoutMs: number
}

/** Creates the file if there is none. It never waits: a caller who meets a lock asks again. */
export function openWriter({ path, driver }: Opening): Connection {
  if (path !== IN_MEMORY) createDatabase(path, driver)
  const db = driver.open(path, { readOnly: false })
  try {
    db.exec(WRITING + COMMON)
    migrate(db, path)
    return new Connection(path, db)
  } catch (cause) {
    db.close()
    throw cause
  }
}

/** Sees the last commit and never waits for the next one. */
export function openReader({ path, driver, busyTimeoutMs }: Opening): Connection {
  const db = driver.open(path, { readOnly: true })
  try {
    db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs};${COMMON}`)
    return new Connection(path, db)
  } catch (cause) {
    db.close()
    throw cause
  }
}

/**
 * Reads a file as it was left, where nobody can write: SQLite makes files beside a log before it reads,
 * which it could not there. What would not be seen is asked for afterwards (`isChanged`).
 */
export function openSealedOff({ path, driver }: Opening): Connection {
  const left = leftAt(path)
  const address = pathToFileURL(path)
  address.searchParams.set('immutable', '1')
  const db = driver.open(address.href, { readOnly: true })
  try {
    db.exec(COMMON)
    return new Connection(path, db, () => left === null || leftAt(path) !== left)
  } catch (cause) {
    db.close()
    throw cause
  }
}

/** A stack that was never written is an empty database: nothing asks whether there is a file. */
export function openEmpty({ driver, busyTimeoutMs }: Opening): Connection {
  return openWriter({ path: IN_MEMORY, driver, busyTimeoutMs })
}
