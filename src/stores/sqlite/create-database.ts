import { constants, copyFileSync, existsSync, linkSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { SqlDriver } from './driver.ts'
import { createPrivately, syncFolder } from './files.ts'

export const PAGE_BYTES = 4_096 // keys that lie anywhere dirty a page each: the smaller, the less is written at 100,000

const FIRST_PAGE = `
  PRAGMA page_size = ${PAGE_BYTES};
  PRAGMA journal_mode = WAL;`

/**
 * Makes a database with its first page under another name and links the database to its path. So no process
 * sees an empty file there, and an empty file is evidence of a loss. A file that exists stays as it is.
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

/** A link never replaces a file that another process made first. Some file systems have no links. */
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
