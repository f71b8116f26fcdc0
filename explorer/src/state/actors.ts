import type { Memory } from '../../../src/engine/read/memory-view.ts'
import { useOperation } from './query.ts'

const NEWEST = 500 // memories from which actors are collected

/** An actor of recent memories. */
export interface Actor {
  readonly name: string
  /** Memories of the actor among the newest. */
  readonly memories: number
  readonly newest: Memory
  readonly sessions: readonly string[]
}

/** Actors of the newest memories, the most recent first. */
export function useActors(): readonly Actor[] {
  const { value } = useOperation('list', { limit: NEWEST, all: true }, { still: true })
  const actors = new Map<string, Actor>()
  for (const memory of value ?? []) {
    const { sourceId: name, session } = memory.provenance
    if (name === '') continue
    const known = actors.get(name)
    actors.set(name, {
      name,
      memories: (known?.memories ?? 0) + 1,
      newest: known?.newest ?? memory,
      sessions: [...(known?.sessions ?? []), ...(session === null ? [] : [session])],
    })
  }
  return [...actors.values()]
}
