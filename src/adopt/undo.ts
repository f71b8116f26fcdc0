import { MunimentError } from '../domain/errors.ts'
import type { ActOptions } from '../engine/write/arguments.ts'
import type { Stack } from '../stack.ts'
import { actorsOf } from './batches.ts'

/** The result of taking a batch out again. */
export interface Undone {
  readonly batch: string
  readonly how: 'distrusted' | 'erased'
  readonly memories: number
  /** Memories of others that cite the batch: kept, and for a person to look at. */
  readonly flagged: number
  /** Proposals in place of the act: the caller is no person. */
  readonly proposed: number
}

const BATCH = /^[a-z0-9-]+-[0-9a-f]{12}$/
const unknownBatch = (batch: string): MunimentError =>
  new MunimentError('not_found', `No memory of the batch ${batch} is in this stack.`, {
    hint: 'muniment adopt --batches lists the batches that are here.',
  })

/** Distrusts or erases exactly the memories of a batch. */
export async function undoBatch(
  stack: Stack,
  batch: string,
  { isErased, by }: { readonly isErased: boolean; readonly by: ActOptions },
): Promise<Undone> {
  const counts = { memories: 0, flagged: 0, proposed: 0 }
  const actors = BATCH.test(batch) ? await actorsOf(stack, batch) : []
  if (actors.length === 0) throw unknownBatch(batch)
  for (const actor of actors) {
    if (isErased) {
      const { erased, derived, proposed } = await stack.erasure.erase({ actor }, by)
      counts.memories += erased.length
      counts.flagged += derived.length
      counts.proposed += proposed === null ? 0 : 1
    } else {
      const basis = { ...by, basis: 'other' } as const
      const { memories, flagged, proposed } = await stack.sources.distrust({ actor }, basis)
      counts.memories += memories.length
      counts.flagged += flagged.length
      counts.proposed += proposed === null ? 0 : 1
    }
  }
  return { batch, how: isErased ? 'erased' : 'distrusted', ...counts }
}
