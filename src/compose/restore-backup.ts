import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { basename } from 'node:path'
import { MunimentError } from '../domain/errors.ts'
import type { StackId } from '../domain/ids.ts'
import { SqliteStore } from '../stores/sqlite/store.ts'
import { elsewhere } from './elsewhere.ts'

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

interface BackupCopy {
  readonly from: string
  readonly to: string
  readonly stackId: StackId
  readonly onProgress?: ((progress: { done: number; total: number }) => void) | undefined
}

/** Copies a backup of the stack into a new file, and audits the copy: a backup that was edited is refused. */
export async function copyBackup({ from, to, stackId, onProgress }: BackupCopy): Promise<void> {
  const backup = new SqliteStore({ path: from, readOnly: true })
  try {
    await backup.read(stackId, { type: 'standing' }) // refuses the file of another stack
    await backup.backup(to)
  } finally {
    await backup.close()
  }
  const { problems } = await elsewhere({ work: 'audit', path: to, stackId, range: {} }, onProgress)
  const [first] = problems
  if (first === undefined) return
  throw new MunimentError(
    'audit_failed',
    `${basename(from)} was not restored, because it is not as it was written: ${first.code} at entry ${first.seq}, ${first.detail}.`,
    {
      hint: 'Nothing here was changed. Restore an older backup, or a bundle.',
      facts: { problems: problems.length, first },
    },
  )
}
