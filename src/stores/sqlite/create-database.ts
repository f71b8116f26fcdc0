import { constants, copyFileSync, existsSync, linkSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { SqlDriver } from './driver.ts'
import { createPrivately, syncFolder } from './files.ts'

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
