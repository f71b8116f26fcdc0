import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

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

function createFolder(folder: string): void {
  const made = mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
  if (made === undefined || process.platform === 'win32') return // Windows syncs no folders
  // A new folder is kept only once the folders it hangs in are: a commit must not outlive its path.
  for (let at = folder; at.length >= dirname(made).length; at = dirname(at)) {
    const handle = openSync(at, 'r')
    try {
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    if (at === dirname(at)) break
  }
}

/** Which file stands at the path; undefined when none does. */
export function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino
}
