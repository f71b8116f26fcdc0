import type { Ref } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'

const KEYS_MAX = 50_000 // keys of a stack; beyond that, keys are looked up again

/** Keys of memories seen before, so that a citation needs no lookup. */
export type Keys = Map<Ref, number>

export function noteKeys(keys: Keys, memories: readonly MemoryState[]): void {
  if (keys.size + memories.length > KEYS_MAX) keys.clear()
  for (const { ref, seq } of memories) keys.set(ref, seq)
}
