import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MunimentError } from '../../domain/errors.ts'
import { isHash, ZERO_HASH } from '../../domain/ids.ts'
import type { Head } from '../../domain/waist.ts'
import type { Witnessed } from '../../ports/store.ts'
import type { SqlDatabase, SqlDriver } from './connection.ts'
import { faultNamed, faultOf, isBusy } from './faults.ts'

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

export const IN_MEMORY = ':memory:'

/**
 * Creates the file before SQLite does, so that no umask ever opens the file to others; SQLite
 * copies its mode to `-wal` and `-shm`. An existing file is not opened: closing it would drop every
 * lock of this process.
 */
export function createPrivately(path: string): void {
  createFolder(dirname(resolve(path)))
  if (existsSync(path)) return
  try {
    closeSync(openSync(path, 'wx', FILE_MODE))
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'EEXIST') throw cause // an Error of node:fs
  }
}

/** Creates a folder for its owner alone, durable on return. */
export function createFolder(folder: string): void {
  const made = mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
  if (made === undefined || process.platform === 'win32') return // Windows syncs no folders
  // A new folder is durable only with its parent folders: a commit must not outlive its path.
  for (let at = folder; at.length >= dirname(made).length; at = dirname(at)) {
    sync(at, 'r')
    if (at === dirname(at)) break
  }
}

/** Makes renames and links in a folder durable. Windows syncs no folders. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') sync(folder, 'r')
}

/** Makes a file's bytes durable. Never for a file open in SQLite: closing would drop the locks. */
export const syncFile = (path: string): void => sync(path, 'r+')

function sync(path: string, flags: 'r' | 'r+'): void {
  const handle = openSync(path, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** A file may exist behind a folder without read permission, so the caller gets an error. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    throw faultNamed('store_unavailable', path, { cause })
  }
}

/** The inode at the path; undefined without a file. */
export function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino
}

/** Inode, length and time of the file at the path; empty without a file. */
export function fileStateOf(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false })
  return file === undefined ? '' : `${file.ino} ${file.size} ${file.mtimeMs}`
}

/** Inode and state of the file at the path; null while an unmerged log lies beside the file. */
export function leftAt(path: string): string | null {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (log !== undefined && log.size > 0) return null
  const file = statSync(path, { bigint: true, throwIfNoEntry: false })
  return file === undefined ? null : `${file.ino} ${file.size} ${file.mtimeNs} ${file.ctimeNs}`
}

/**
 * True when, as far as can be known, no process writes here: a read-only disk, or our own folder
 * without write permission.
 */
export function isSealedOff(path: string): boolean {
  const folder = dirname(resolve(path))
  try {
    accessSync(folder, constants.W_OK)
    return false
  } catch (cause) {
    const { code } = cause as { code?: unknown } // an Error of node:fs
    return code === 'EROFS' || statSync(folder).uid === process.getuid?.()
  }
}

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
      hint: 'Nothing is written here. Keep a copy of the file as it is, and restore a backup: muniment stack restore <copy> --replace',
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

const WAIT_MS = 1_000 // time for a closing process to finish

/** Leaving WAL mode moves the log into the file and removes the log; SQLite refuses while others have the file open. */
const LOCK = `
  PRAGMA busy_timeout = ${WAIT_MS};
  PRAGMA journal_mode = DELETE;
  BEGIN EXCLUSIVE;`

/** A lock on a stack's file against reads and writes of other processes, until `release`. */
export interface FileLock {
  release(): void
}

/**
 * Moves the log into the file and locks the file, so that a rename takes all acknowledged commits
 * along. Null when SQLite cannot open the file: no process writes to a damaged file, and its log
 * stays.
 */
export function lockFile(path: string, driver: SqlDriver): FileLock | null {
  if (!isReadable(path, driver)) return null
  const db = driver.open(path, { readOnly: false })
  try {
    db.exec(LOCK)
    if (existsSync(`${path}-wal`)) throw faultNamed('store_busy', path)
  } catch (cause) {
    db.close()
    throw faultOf(cause, path)
  }
  let isHeld = true
  return {
    release: () => {
      if (isHeld) db.close()
      isHeld = false
    },
  }
}

/** Read-only, because SQLite would move the log into a damaged file on closing. */
function isReadable(path: string, driver: SqlDriver): boolean {
  // SQLite deletes the log of an empty file.
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return false
  let db: SqlDatabase | null = null
  try {
    db = driver.open(path, { readOnly: true })
    db.exec(`PRAGMA busy_timeout = ${WAIT_MS}`)
    assertFullLength(db, { path, driver })
    return true
  } catch (cause) {
    if (isBusy(faultOf(cause, path))) throw faultOf(cause, path)
    return false
  } finally {
    db?.close()
  }
}

const WIDTH = 20 // digits of a seq, so that a shorter text fully overwrites a longer text

/** Removes what restores left that were killed: whole copies of a stack, which no erasure reaches. */
export function removeAbandoned(path: string): void {
  const [folder, start] = [dirname(path), `${basename(path)}.incoming-`]
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(start) ? Number.parseInt(name.slice(start.length), 10) : Number.NaN
    if (pid > 0 && isDead(pid)) rmSync(join(folder, name), { force: true })
  }
}

function isDead(pid: number): boolean {
  try {
    process.kill(pid, 0) // signal 0 only checks, and sends nothing
    return false
  } catch (cause) {
    return (cause as { code?: unknown }).code === 'ESRCH' // an Error of node:process
  }
}

const LINE = /^(\d+) ([0-9a-f]{64})(?:\n|$)/

const NONE_SEEN: Witnessed = { seq: -1, hash: null, isDamaged: false }

export const witnessOf = (stackPath: string): string => `${stackPath}-head`

const lineOf = ({ seq, hash }: Pick<Head, 'seq' | 'hash'>): string =>
  `${String(seq).padStart(WIDTH, '0')} ${hash}\n`

/**
 * Replaces the witness with a record of the first entry only. Any stack passes; a missing or empty
 * file fails, so no process begins a new stack there.
 */
export function putGuard(stackPath: string): void {
  const part = `${witnessOf(stackPath)}.part`
  const text = lineOf({ seq: 0, hash: ZERO_HASH })
  writeFileSync(part, text, { mode: FILE_MODE, flush: true })
  renameSync(part, witnessOf(stackPath)) // the old witness has a second name, so is not written to
}

/**
 * The last head, in a file beside the stack's file. A lost `-wal`, an older copy and a blank database
 * look whole; the witness still knows the head, and so stays when the stack is closed. Written after
 * the commit and not synced, so the witness may lag but never lead.
 */
export class Witness {
  readonly #path: string
  #handle: number | null = null

  constructor(stackPath: string) {
    this.#path = witnessOf(stackPath)
  }

  /** The last head seen; read before the head of the file. */
  recall(): Witnessed {
    if (!existsSync(this.#path)) return NONE_SEEN
    const [, digits, hash] = LINE.exec(readFileSync(this.#path, 'latin1')) ?? []
    const seq = Number(digits)
    if (!isHash(hash) || !Number.isSafeInteger(seq)) return { ...NONE_SEEN, isDamaged: true } // a power cut may do that
    return { seq, hash: hash === ZERO_HASH ? null : hash, isDamaged: false }
  }

  /** The commit is done: a failing witness must not make the commit look undone. */
  note({ seq, hash }: Head): void {
    try {
      this.#handle ??= openSync(this.#path, constants.O_RDWR | constants.O_CREAT, FILE_MODE)
      writeSync(this.#handle, lineOf({ seq, hash }), 0)
    } catch {
      this.release()
    }
  }

  release(): void {
    if (this.#handle !== null) closeSync(this.#handle)
    this.#handle = null
  }
}
