import { parseStackId } from '../domain/ids.ts'
import { LossCheck } from '../engine/proofs/loss-check.ts'
import { SqliteStore } from '../stores/sqlite/store.ts'
import { fileShelf } from './checkpoint-shelf.ts'
import { headsBeside, stackFile } from './open-stack.ts'

interface BackupTarget {
  readonly home: string
  /** A file that does not exist yet. */
  readonly to: string
}

/** Copies a stack's file while others use the stack. A ledger that lost entries is not copied. */
export async function backUpStack(id: string, { home, to }: BackupTarget): Promise<void> {
  const stackId = parseStackId(id)
  const path = stackFile(home, stackId)
  const store = new SqliteStore({ path })
  try {
    const shelf = fileShelf(headsBeside(path))
    await new LossCheck({ stackId, store, shelf }, false).assertWhole()
    await store.backup(to)
  } finally {
    await store.close()
  }
}
