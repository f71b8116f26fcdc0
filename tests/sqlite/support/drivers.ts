import {
  nodeDriver,
  type SqlDatabase,
  type SqlDriver,
} from '../../../src/stores/sqlite/connection.ts'

/** Node's own driver with something done to every database that is opened for writing. */
const changed = (change: (db: SqlDatabase) => SqlDatabase): SqlDriver => ({
  open: (path, options) => {
    const db = nodeDriver.open(path, options)
    return options.readOnly ? db : change(db)
  },
})

/** A disk that has room for so many pages; SQLite itself then says that it is full. */
export function smallDisk(pages: number) {
  const opened = new Set<SqlDatabase>()
  const driver = changed((db) => {
    db.exec(`PRAGMA page_size = 8192; PRAGMA max_page_count = ${pages}`)
    opened.add(db)
    const close = (): void => {
      opened.delete(db)
      db.close()
    }
    return { ...db, close }
  })
  return {
    driver,
    makeRoom: () => {
      for (const db of opened) db.exec('PRAGMA max_page_count = 1000000')
    },
  }
}

/** COMMIT goes wrong once, before it was made or after; `arm` says when. */
export function failingCommit() {
  let failure: 'before' | 'after' | null = null
  const ioError = Object.assign(new Error('disk I/O error'), { errcode: 10 })
  const driver = changed((db) => ({
    ...db,
    prepare: (sql) => {
      const statement = db.prepare(sql)
      if (sql !== 'COMMIT') return statement
      return {
        ...statement,
        run: () => {
          const now = failure
          failure = null
          if (now === 'before') throw ioError
          const changes = statement.run()
          if (now === 'after') throw ioError
          return changes
        },
      }
    },
  }))
  return {
    driver,
    arm: (when: 'before' | 'after') => {
      failure = when
    },
  }
}
