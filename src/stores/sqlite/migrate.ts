import { constants, copyFileSync, existsSync, linkSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { SqlDatabase, SqlDriver } from './connection.ts'
import { notOurs, schemaNewer } from './faults.ts'
import { createPrivately, syncFolder } from './files.ts'
import { APPLICATION_ID, MIGRATIONS } from './schema.ts'

/** The state of a file: without a stack, with an older schema, or usable now. */
export type Fitness = 'empty' | 'older' | 'current'

type Prepares = Pick<SqlDatabase, 'prepare'>

const numberIn = (db: Prepares, sql: string): number => Number(db.prepare(sql).get()?.[0] ?? 0)

export const versionOf = (db: Prepares): number => numberIn(db, 'PRAGMA user_version')

/** Reads without writing; refuses another program's file and a newer schema. */
export function fitnessOf(
  db: SqlDatabase,
  path: string,
  steps: readonly string[] = MIGRATIONS,
): Fitness {
  const application = numberIn(db, 'PRAGMA application_id')
  const version = versionOf(db)
  if (application === 0 && version === 0) {
    const objects = numberIn(db, 'SELECT count(*) FROM sqlite_schema')
    if (objects === 0) return 'empty'
  }
  if (application !== APPLICATION_ID) throw notOurs(path)
  if (version > steps.length) throw schemaNewer(path, version, steps.length)
  return version === steps.length ? 'current' : 'older'
}

/** Brings the file to the newest version in one transaction: all missing steps, or none. */
export function migrate(
  db: SqlDatabase,
  path: string,
  steps: readonly string[] = MIGRATIONS,
): void {
  if (fitnessOf(db, path, steps) === 'current') return
  db.exec('BEGIN IMMEDIATE')
  try {
    // Asked again under the lock: another process may have been quicker.
    if (fitnessOf(db, path, steps) !== 'current') {
      for (const step of steps.slice(versionOf(db))) db.exec(step)
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${steps.length}`)
    }
    db.exec('COMMIT')
  } catch (cause) {
    db.exec('ROLLBACK')
    throw cause
  }
}

export const PAGE_BYTES = 4_096 // random keys dirty a page each: smaller pages mean fewer written bytes at 100,000

const FIRST_PAGE = `
  PRAGMA page_size = ${PAGE_BYTES};
  PRAGMA journal_mode = WAL;`

/**
 * Creates a database with its first page under another name and links the file to its path. No
 * process ever sees an empty file there, so an empty file proves a loss. An existing file stays
 * unchanged.
 */
export function createDatabase(path: string, driver: SqlDriver): void {
  if (existsSync(path)) return
  const draft = `${path}.new-${process.pid}`
  removeDraft(draft)
  try {
    createPrivately(draft)
    const db = driver.open(draft, { readOnly: false })
    try {
      db.exec(FIRST_PAGE)
    } finally {
      db.close()
    }
    linkNew(draft, path)
    syncFolder(dirname(resolve(path)))
  } finally {
    removeDraft(draft)
  }
}

/**
 * A link never replaces a file that another process created first. Some file systems have no links.
 */
function linkNew(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return
    try {
      copyFileSync(draft, path, constants.COPYFILE_EXCL)
    } catch (copying) {
      if (codeOf(copying) !== 'EEXIST') throw copying
    }
  }
}

const codeOf = (cause: unknown): unknown => (cause as { code?: unknown }).code // an Error of node:fs

function removeDraft(draft: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(draft + end, { force: true })
}
