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
  const file = statSync(path, { bigint: true, throwIfNoEntry: false })
  return file === undefined ? '' : `${file.ino} ${file.size} ${file.mtimeNs}`
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
