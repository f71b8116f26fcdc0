import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'

/** The file as any SQLite program sees it: no store, no gate, no questions. */
export function withRaw<T>(path: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  try {
    return work(db)
  } finally {
    db.close()
  }
}

export function dropTriggers(db: DatabaseSync): void {
  const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`)
}

/** Whatever a vandal likes, with every guard taken away first. */
export function vandalise(path: string, sql: string): void {
  withRaw(path, (db) => {
    dropTriggers(db)
    db.exec(sql)
  })
}

/** The same, with the guards put back as if nothing had happened. */
export function vandaliseNeatly(path: string, sql: string): void {
  withRaw(path, (db) => {
    const guards = db.prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").all()
    dropTriggers(db)
    db.exec(sql)
    for (const guard of guards) db.exec(String(guard.sql))
  })
}

export const cell = (path: string, sql: string): SQLOutputValue | undefined =>
  withRaw(path, (db) => Object.values(db.prepare(sql).get() ?? {})[0])
