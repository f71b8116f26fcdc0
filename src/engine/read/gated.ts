import type { Engine } from '../engine.ts'
import { given } from '../write/arguments.ts'
import type { Memory } from './memory-view.ts'
import type { ReadBy } from './served.ts'
import { gated } from './use-gate.ts'

/** Memories as a connection may read them: words below the use that the host fixed are withheld. */
export async function gatedAll<M extends Memory>(
  engine: Engine,
  memories: readonly M[],
  reader: ReadBy | null | undefined,
): Promise<readonly M[]> {
  const { caller } = given(reader)
  if (caller?.use === undefined) return memories
  const { policy } = await engine.moment()
  return memories.map((memory) => gated(memory, policy, { caller }) as M) // of the memory's kind
}

/** Results with memories, as a connection may read them. */
export async function gatedIn<T extends { readonly memory: Memory }>(
  engine: Engine,
  results: readonly T[],
  reader: ReadBy | null | undefined,
): Promise<readonly T[]> {
  const memories = await gatedAll(engine, memoriesIn(results), reader)
  return results.map((each, at) => ({ ...each, memory: memories[at] ?? each.memory }))
}

export const memoriesIn = (results: readonly { readonly memory: Memory }[]): readonly Memory[] =>
  results.map(({ memory }) => memory)
