import type { SqlDatabase } from './driver.ts'
import { notOurs, schemaNewer } from './faults.ts'
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
