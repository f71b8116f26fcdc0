import { pathToFileURL } from 'node:url'
import { Connection } from './connection.ts'
import { createDatabase, PAGE_BYTES } from './create-database.ts'
import type { SqlDriver } from './driver.ts'
import { IN_MEMORY, leftAt } from './files.ts'
import { migrate } from './migrate.ts'

const CACHE_KIB = 65_536 // room for the randomly spread hash keys of 100,000 memories
const CHECKPOINT_PAGES = 8_000 // 32 MB of log before the log moves into the file
const LOG_BYTES_KEPT = 67_108_864 // size to which a larger log is cut back

const COMMON = `
  PRAGMA foreign_keys = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA trusted_schema = OFF;
  PRAGMA cell_size_check = ON;
  PRAGMA cache_size = -${CACHE_KIB};`

// secure_delete overwrites deleted bytes; normal writes delete nothing, so the setting is free.
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

/** Creates a missing file. Never waits: a caller who meets a lock asks again. */
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

/** Sees the last commit and never waits for the next. */
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
 * Opens a file as immutable, where no process can write: SQLite would create side files for a log.
 * Later writes are detected afterwards through `isChanged`.
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

/** A stack without a first write is an empty database, so callers never check for a file. */
export function openEmpty({ driver, busyTimeoutMs }: Opening): Connection {
  return openWriter({ path: IN_MEMORY, driver, busyTimeoutMs })
}
