import type { Caller } from '../../domain/doors.ts'
import { MunimentError } from '../../domain/errors.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import type { Stack } from '../../stack.ts'

const GONE: ReadonlySet<string | null> = new Set(['already_so', 'erased', 'not_found'])

/** Forgets a memory as its own actor. False where the memory was gone already; a refusal throws. */
export async function forgetAsAuthor(
  stack: Stack,
  { ref, provenance: { sourceId: actor, label } }: Pick<Memory, 'ref' | 'provenance'>,
  caller: Caller,
): Promise<boolean> {
  const how = { actor, label, caller }
  const { changed, reason } = await stack.changes.change(ref, { type: 'forget' }, 'forget', how)
  if (changed || GONE.has(reason)) return changed
  throw new MunimentError('refused', `${ref} was not deleted: ${reason}.`, {
    hint: 'A person may have protected the memory.',
    facts: { ref, reason },
  })
}
