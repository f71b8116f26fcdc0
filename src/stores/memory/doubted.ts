import type { DescentOf } from '../../domain/distrust.ts'
import type { Ref } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Rows } from './rows.ts'

/** Memories of an origin, all their descendants, and all parents of both. */
export function doubtedIn(
  rows: Rows,
  what: DescentOf,
  visitMax: number,
): readonly MemoryState[] | null {
  const isFrom = isMeant(what)
  const from = [...rows.memories.values()].filter(
    (memory) => memory.erased === null && isFrom(memory),
  )
  const found = new Set<Ref>(from.map(({ ref }) => ref))
  for (const ref of found) for (const child of rows.children.get(ref) ?? []) found.add(child)
  const parents = [...found].flatMap((ref) => rows.memories.get(ref)?.parents ?? [])
  const states = [...new Set([...found, ...parents])]
    .flatMap((ref) => rows.memories.get(ref) ?? [])
    .sort((a, b) => a.seq - b.seq)
  return states.length > visitMax ? null : states
}

function isMeant(what: DescentOf): (memory: MemoryState) => boolean {
  if (what.type === 'memory') return ({ ref }) => ref === what.ref
  if (what.type === 'memories') {
    const refs = new Set(what.refs)
    return ({ ref }) => refs.has(ref)
  }
  return ({ sourceId, door, session }) =>
    ({ actor: sourceId, door, session })[what.type] === what.name
}
