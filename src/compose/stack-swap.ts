import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { MunimentError } from '../domain/errors.ts'
import { nodeDriver } from '../stores/sqlite/connection.ts'
import { isBusy } from '../stores/sqlite/faults.ts'
import {
  createFolder,
  type FileLock,
  lockFile,
  putGuard,
  syncFile,
  syncFolder,
  witnessOf,
} from '../stores/sqlite/files.ts'
import { headsBeside } from './open-stack.ts'

/** Files that show that a stack was there when its own file is gone: signed heads, SQLite's log, the witness. */
export const tracesOf = (path: string): readonly string[] => [
  headsBeside(path),
  `${path}-wal`,
  witnessOf(path),
]

/** Name endings of the files that go with a stack's file: SQLite's log, the witness. */
const ENDINGS = ['', '-wal', '-shm', '-journal', '-head']

/** All files of a stack: the stack's own, receipts, signed heads. */
function filesOf(path: string): readonly string[] {
  const [folder, name] = [dirname(path), basename(path)]
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter(
    (file) =>
      ENDINGS.some((end) => file === name + end) ||
      file.startsWith(`${name}-receipts`) ||
      file.startsWith(`${name}.checkpoints`),
  )
}

/** A file of this process, in which a stack is restored and verified before the swap. */
export const incomingFile = (path: string): string => `${path}.incoming-${process.pid}`

/** Removes an incoming file with SQLite's own files. */
export function removeIncoming(incoming: string): void {
  for (const end of ENDINGS) rmSync(incoming + end, { force: true })
}

/** Refuses to replace a present stack without the explicit option. */
export function assertReplaceable(path: string, { replace }: { readonly replace: boolean }): void {
  if (replace || !existsSync(path)) return
  throw new MunimentError('stack_not_empty', 'There is a stack of that name already.', {
    hint: 'Given replace: true, it is set aside whole. Stop whoever uses it first.',
    facts: { needs: 'replace' },
  })
}

/**
 * Puts a verified file in the place of a stack, and returns the folder with the old files. Old side
 * files must not stay: SQLite would replay an old log into the new file, and heads signed later would
 * report lost entries.
 *
 * A process killed between two steps leaves the old stack or the new stack. The old log is moved into its
 * file first, the old files get a second name before they lose the first name, and a single rename decides.
 */
export function swapIn(incoming: string, path: string): string | null {
  for (const end of ENDINGS.slice(1)) rmSync(incoming + end, { force: true })
  syncFile(incoming)
  createFolder(dirname(path))
  const lock = lockOf(path)
  try {
    const files = filesOf(path)
    const aside = files.length === 0 ? null : folderFor(path)
    try {
      if (aside !== null) setAside(path, { files, aside })
      if (process.platform === 'win32') lock?.release() // Windows renames no open file
      renameSync(incoming, path)
    } catch (cause) {
      if (aside !== null) putBack(path, aside)
      throw cause
    }
    syncFolder(dirname(path))
    putGuard(path)
    return aside
  } finally {
    lock?.release()
  }
}

function lockOf(path: string): FileLock | null {
  try {
    return lockFile(path, nodeDriver)
  } catch (cause) {
    if (!isBusy(cause)) throw cause
    throw new MunimentError('store_busy', `${basename(path)} is open in another process.`, {
      hint: 'Nothing was changed. Stop every process that uses the stack, such as muniment serve, and restore again.',
      facts: { file: basename(path) },
      cause,
    })
  }
}

function folderFor(path: string): string {
  let aside = `${path}.replaced`
  for (let number = 2; existsSync(aside); number += 1) aside = `${path}.replaced-${number}`
  return aside
}

interface SetAside {
  readonly files: readonly string[]
  readonly aside: string
}

/** Leaves the stack's file in place: the following rename replaces the file. */
function setAside(path: string, { files, aside }: SetAside): void {
  const folder = dirname(path)
  mkdirSync(aside, { mode: 0o700 })
  for (const file of files) secondName(join(folder, file), join(aside, file))
  syncFolder(aside)
  syncFolder(folder)
  // From here until the rename, a missing or empty file must not look like a stack that never was.
  putGuard(path)
  for (const file of files) {
    const isReplaced = file === basename(path) || join(folder, file) === witnessOf(path)
    if (!isReplaced) unlinkSync(join(folder, file))
  }
}

/** Some file systems have no links: there the file is copied. */
function secondName(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to, constants.COPYFILE_EXCL)
    syncFile(to)
  }
}

function putBack(path: string, aside: string): void {
  rmSync(witnessOf(path), { force: true }) // the guard; the old witness comes back with the others
  const files = existsSync(aside) ? readdirSync(aside) : []
  for (const file of files) renameSync(join(aside, file), join(dirname(path), file))
  rmSync(aside, { recursive: true, force: true })
  syncFolder(dirname(path))
}
