import { DatabaseSync } from 'node:sqlite'
import { onTestFinished, vi } from 'vitest'
import {
  nodeDriver,
  type SqlDatabase,
  type SqlDriver,
} from '../../../src/stores/sqlite/connection.ts'

const STATEMENTS = {
  reads: /^\s*(SELECT|WITH)/,
  deletions: /^\s*(SELECT|WITH|DELETE|INSERT INTO erasures)/,
} as const

/** Node's own driver, and how SQLite would go about every statement prepared since the last look. */
export function planning() {
  const prepared: { readonly db: SqlDatabase; readonly sql: string }[] = []
  const driver: SqlDriver = {
    open: (path, options) => {
      const db = nodeDriver.open(path, options)
      return {
        ...db,
        prepare: (sql) => {
          prepared.push({ db, sql })
          return db.prepare(sql)
        },
      }
    },
  }
  /** One line for each step; statements that touch no table have none. */
  const plans = (of: 'reads' | 'deletions' = 'reads'): readonly string[] =>
    prepared.splice(0).flatMap(({ db, sql }) => {
      if (!STATEMENTS[of].test(sql)) return []
      const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
      return steps.map((step) => String(step.at(-1)))
    })
  return { driver, plans }
}

/** Whether SQLite here asks who may do what, which it does whenever it plans a statement. */
export const tellsPlanning = typeof DatabaseSync.prototype.setAuthorizer === 'function'

/** Whether a statement was planned since the last look, in any database that was opened since. */
export function planningWatch(): () => boolean {
  const watched = new WeakSet<DatabaseSync>()
  let hasPlanned = false
  const { prepare } = DatabaseSync.prototype
  const spy = vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (
    this: DatabaseSync,
    sql,
  ) {
    if (!watched.has(this)) {
      watched.add(this)
      this.setAuthorizer(() => {
        hasPlanned = true
        return 0
      })
    }
    return prepare.call(this, sql)
  })
  onTestFinished(() => spy.mockRestore())
  return () => {
    const had = hasPlanned
    hasPlanned = false
    return had
  }
}
