import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { MunimentError } from '../domain/errors.ts'
import type { StackId } from '../domain/ids.ts'
import { SqliteStore } from '../stores/sqlite/store.ts'

const MAGIC = 'SQLite format 3\0'

/** Whether it is a copy that `backup` made, and not the text of a bundle. */
export function isBackup(file: string): boolean {
  if (!existsSync(file)) return false
  const handle = openSync(file, 'r')
  try {
    const start = Buffer.alloc(MAGIC.length)
    readSync(handle, start)
    return start.toString('latin1') === MAGIC
  } finally {
    closeSync(handle)
  }
}

/** What may lie beside a stack's file: SQLite's log, the witness, receipts, signed heads. */
const BESIDE = ['', '-wal', '-shm', '-journal', '-head']

const filesOf = (path: string): readonly string[] => {
  const [folder, name] = [dirname(path), basename(path)]
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter(
    (file) =>
      BESIDE.some((end) => file === name + end) ||
      file.startsWith(`${name}-receipts`) ||
      file.startsWith(`${name}.checkpoints`),
  )
}

/**
 * Makes room for a stack that comes back: what lies there goes into a folder beside it, whole. Left
 * where it is, a log would be replayed into the wrong file, and heads signed later would say for ever
 * that entries were lost. Nothing is deleted; a stack that stands is set aside only when asked.
 */
export function makeRoom(path: string, { replace }: { readonly replace: boolean }): string | null {
  const files = filesOf(path)
  if (files.length === 0) return null
  if (existsSync(path) && !replace) {
    throw new MunimentError('stack_not_empty', 'There is a stack of that name already.', {
      hint: 'Given replace: true, it is set aside whole. Stop whoever uses it first.',
      facts: { needs: 'replace' },
    })
  }
  let aside = `${path}.replaced`
  for (let number = 2; existsSync(aside); number += 1) aside = `${path}.replaced-${number}`
  mkdirSync(aside, { mode: 0o700 })
  for (const file of files) renameSync(join(dirname(path), file), join(aside, file))
  return aside
}

/** The copy under the stack's own name, looked at first; only under the name that the stack had. */
export async function copyBackup(from: string, path: string, stackId: StackId): Promise<void> {
  const copy = new SqliteStore({ path: from, readOnly: true })
  try {
    await copy.read(stackId, { type: 'standing' }) // refuses the file of another stack
    await copy.backup(path)
  } finally {
    await copy.close()
  }
}
