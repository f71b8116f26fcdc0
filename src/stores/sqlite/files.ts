import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { faultNamed } from './faults.ts'

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

export const IN_MEMORY = ':memory:'

/**
 * Makes the file before SQLite does, so that no moment and no umask leaves it open to others;
 * SQLite gives `-wal` and `-shm` the mode of the file. An existing file is not opened at all:
 * closing it again would drop every lock this process holds on it.
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

/** Makes a folder for its owner alone, durable when it returns. */
export function createFolder(folder: string): void {
  const made = mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
  if (made === undefined || process.platform === 'win32') return // Windows syncs no folders
  // A new folder is kept only once the folders it hangs in are: a commit must not outlive its path.
  for (let at = folder; at.length >= dirname(made).length; at = dirname(at)) {
    sync(at, 'r')
    if (at === dirname(at)) break
  }
}

/** Makes renames and links in a folder durable. Windows syncs no folders. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') sync(folder, 'r')
}

/** Makes the bytes of a file durable; of a file that this process has open in SQLite it would drop the locks. */
export const syncFile = (path: string): void => sync(path, 'r+')

function sync(path: string, flags: 'r' | 'r+'): void {
  const handle = openSync(path, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** One that may not be looked for may be there all the same: who asks is told. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    throw faultNamed('store_unavailable', path, { cause })
  }
}

/** Which file stands at the path; undefined when none does. */
export function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino
}

/** Which file stands at the path and how it was left; null where a log lies beside it that is not in it yet. */
export function leftAt(path: string): string | null {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (log !== undefined && log.size > 0) return null
  const file = statSync(path, { bigint: true, throwIfNoEntry: false })
  return file === undefined ? null : `${file.ino} ${file.size} ${file.mtimeNs} ${file.ctimeNs}`
}

/**
 * Whether the file lies where nobody writes, as far as can be told: on a disk that is read-only, or in a
 * folder of our own that we may not write to.
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
