import { assert, MunimentError } from '../domain/errors.ts'
import { parseStackId } from '../domain/ids.ts'
import { LossCheck } from '../engine/proofs/signed-heads.ts'
import { exportBundle } from '../engine/transfer/bundle/export.ts'
import {
  type Restored,
  type RestoreOptions,
  restoreBundle,
} from '../engine/transfer/bundle/restore.ts'
import { nodeHasher, nodeSha256 } from './node-world.ts'
import { type OpenOptions, placeOf } from './open-stack.ts'

interface Moving extends Pick<RestoreOptions, 'onProgress'> {
  readonly from: Where
  readonly to: Where
}

type Where = Pick<OpenOptions, 'home' | 'path' | 'store'>

/**
 * Copies a stack to another store, byte for byte: entries, sealed content, rows outside the ledger, and
 * receipts. Audits the copy before keeping the copy. Keys outside the stack stay in place.
 */
export async function moveStack(id: string, { from, to, onProgress }: Moving): Promise<Restored> {
  const stackId = parseStackId(id)
  const source = await placeOf(stackId, from)
  try {
    await new LossCheck({ stackId, ...source }, false).assertWhole()
    const target = await placeOf(stackId, to)
    try {
      const tools = { sha256: nodeSha256, hasher: nodeHasher }
      const lines = exportBundle({ stackId, store: source.store }, tools)
      const told = onProgress === undefined ? {} : { onProgress }
      const moved = await restoreBundle(target.store, lines, { ...tools, ...told, stackId })
      await copyReceipts(source, target)
      const heads = await Promise.all(
        [source, target].map(({ store }) => store.read(stackId, { type: 'standing' })),
      )
      const [old, copy] = heads.map(({ tip }) => tip.head)
      assert(copy?.seq === moved.head.seq && copy.hash === moved.head.hash, 'the copy is whole')
      if (old?.hash !== copy.hash) {
        throw new MunimentError(
          'version_conflict',
          'Somebody wrote to the stack while it was copied.',
          {
            hint: 'The copy ends at its own head. Remove it, let nobody write, and move again.',
            facts: { copied: copy.seq, written: old?.seq ?? null },
          },
        )
      }
      return moved
    } finally {
      await target.release()
    }
  } finally {
    await source.release()
  }
}

type Side = Pick<Awaited<ReturnType<typeof placeOf>>, 'store' | 'receipts'>

async function copyReceipts(source: Side, target: Side): Promise<void> {
  const receipts = await source.receipts.all()
  for (let at = 0; at < receipts.length; at += BATCH_MAX) {
    await target.receipts.record(receipts.slice(at, at + BATCH_MAX))
  }
}

const BATCH_MAX = 256
