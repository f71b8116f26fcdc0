import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MunimentError } from '../../domain/errors.ts'
import type { SqlDatabase, SqlDriver } from './driver.ts'

interface StackFile {
  readonly path: string
  readonly driver: SqlDriver
}

/**
 * Throws when the file is shorter than its pages. SQLite's own check rounds up to whole pages and
 * trusts an existing log, so a truncated file would accept writes.
 */
export function assertFullLength(db: SqlDatabase, { path, driver }: StackFile): void {
  for (let before = -1; ; ) {
    const pages = numberIn(db, 'PRAGMA page_count')
    const pageBytes = numberIn(db, 'PRAGMA page_size')
    const { size } = statSync(path)
    if (size % pageBytes === 0 && size >= pages * pageBytes) return
    // New pages lie in the log until a checkpoint copies them, page 1 first.
    const log = logOf(path)
    if (log > 0 && size % pageBytes === 0 && isFullByHeader(path, driver)) return
    if (log > 0 && isCompletedByLog(path, { pages, pageBytes, size })) return
    // Another process may have ended its checkpoint between two measurements.
    if (size === before) throw cutShort(path, { pages, pageBytes, size })
    before = size
  }
}

interface Length {
  readonly pages: number
  readonly pageBytes: number
  readonly size: number
}

const cutShort = (path: string, { pages, pageBytes, size }: Length): MunimentError =>
  new MunimentError(
    'store_corrupt',
    `${basename(path)} is cut short: it has ${pages} pages of ${pageBytes} bytes, and only ${size} bytes are there.`,
    {
      hint: 'Nothing is written here. Keep a copy of the file as it is, and restore a backup: muniment restore <copy> --replace',
      facts: { file: basename(path), pages, pageBytes, size },
    },
  )

const numberIn = (db: SqlDatabase, sql: string): number => Number(db.prepare(sql).get()?.[0] ?? 0)

const logOf = (path: string): number =>
  statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0

/**
 * SQLite reads the file without its log and refuses a header with more pages than the file. Node
 * must not open the file, because closing would drop the locks of this process.
 */
function isFullByHeader(path: string, driver: SqlDriver): boolean {
  const address = pathToFileURL(path)
  address.searchParams.set('immutable', '1')
  let db: SqlDatabase | null = null
  try {
    db = driver.open(address.href, { readOnly: true })
    numberIn(db, 'PRAGMA schema_version')
    return true
  } catch {
    return false
  } finally {
    db?.close()
  }
}

const HEADER_BYTES = 32
const FRAME_BYTES = 24
const SALTS = { start: 8, end: 16 } // in a frame; in the header eight bytes later

/**
 * True when the log holds every page missing in the file; SQLite locks the log through another
 * file.
 */
function isCompletedByLog(path: string, { pages, pageBytes, size }: Length): boolean {
  const missing = new Set<number>()
  for (let page = Math.floor(size / pageBytes) + 1; page <= pages; page += 1) missing.add(page)
  const log = openSync(`${path}-wal`, 'r')
  try {
    const header = Buffer.alloc(HEADER_BYTES)
    readSync(log, header, { position: 0 })
    const salts = header.subarray(SALTS.start + 8, SALTS.end + 8)
    const frame = Buffer.alloc(FRAME_BYTES)
    for (let at = HEADER_BYTES; missing.size > 0; at += FRAME_BYTES + pageBytes) {
      if (readSync(log, frame, { position: at }) < FRAME_BYTES) break
      if (frame.subarray(SALTS.start, SALTS.end).equals(salts))
        missing.delete(frame.readUInt32BE(0))
    }
    return missing.size === 0
  } finally {
    closeSync(log)
  }
}
