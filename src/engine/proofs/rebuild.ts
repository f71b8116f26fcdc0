import { MunimentError } from '../../domain/errors.ts'
import type { Sha256 } from '../../ledger/sha256.ts'
import type { Store } from '../../ports/store.ts'
import type { AuditProgress } from '../audit/range.ts'
import { walkLedger } from '../audit/walk.ts'
import type { Reading } from '../history/why.ts'

export interface Rebuilt {
  readonly memories: number
  readonly entries: number
}

export interface RebuildOptions {
  /** Called with the progress, entry by entry. */
  readonly onProgress?: (progress: AuditProgress) => void
}

/** Folds every row again and replaces the stored rows. A damaged ledger is refused. */
export async function rebuild(
  { store, stackId }: Reading & { readonly store: Store },
  sha256: Sha256,
  { onProgress }: RebuildOptions = {},
): Promise<Rebuilt> {
  for (;;) {
    const { tip, walked } = await store.snapshot(async (reader) => {
      const { tip } = await reader.read(stackId, { type: 'standing' })
      const options = { texts: true, onProgress } as const
      const reading = { stackId, store: reader }
      return { tip, walked: await walkLedger(reading, tip.head.seq, sha256, options) }
    })
    const { memories, texts, problems, stack, tree } = walked
    const [first] = problems
    if (first) {
      throw new MunimentError('data_loss', `Entry ${first.seq}: ${first.detail}.`, {
        hint: 'Rows can be rebuilt only from a ledger that is whole. Restore a backup.',
        facts: { code: first.code, seq: first.seq },
      })
    }
    const head = { ...tip.head, rev: tip.head.rev + 1 }
    const states = [...memories.values()].sort((a, b) => a.seq - b.seq)
    const derived = { states, texts: texts?.values() ?? [], stack, tip: { ...tip, head, tree } }
    const { committed } = await store.replaceDerived(stackId, derived, tip.head)
    // Another commit came first, so the fold is repeated.
    if (committed) return { memories: states.length, entries: tree.size }
  }
}
