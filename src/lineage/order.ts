import { assert } from '../domain/errors.ts'
import type { Ref } from '../domain/ids.ts'

export interface LineageNode {
  readonly ref: Ref
  readonly parents: readonly Ref[]
}

const NONE: readonly Ref[] = []

export interface Placed<Node extends LineageNode> {
  readonly node: Node
  /** Steps from the memory that was asked about; the shortest way counts. */
  readonly distance: number
}

/** Breadth-first distances from `start` along `next`; linear in what it visits. */
export function distancesFrom(
  start: Ref,
  next: (ref: Ref) => readonly Ref[],
): ReadonlyMap<Ref, number> {
  const distances = new Map<Ref, number>([[start, 0]])
  const queue: Ref[] = [start]
  for (let at = 0; at < queue.length; at += 1) {
    const ref = queue[at] as Ref // `at` is inside the queue
    const distance = (distances.get(ref) ?? 0) + 1
    for (const neighbour of next(ref)) {
      if (distances.has(neighbour)) continue
      distances.set(neighbour, distance)
      queue.push(neighbour)
    }
  }
  return distances
}

/** A memory on the way, and which of its parents is the next to be seen. */
interface Step {
  readonly ref: Ref
  readonly parents: readonly Ref[]
  next: number
}

/**
 * Roots first, every memory after all of its parents. Works without recursion, so that a chain
 * of thousands is as safe as one of three, and stops at a cycle instead of following it.
 */
export function rootsFirst<Node extends LineageNode>(
  start: Ref,
  nodes: ReadonlyMap<Ref, Node>,
): readonly Placed<Node>[] {
  const parentsOf = (ref: Ref): readonly Ref[] => nodes.get(ref)?.parents ?? NONE
  const distances = distancesFrom(start, parentsOf)
  const placed: Placed<Node>[] = []
  const done = new Set<Ref>()
  const open = new Set<Ref>()
  const path: Step[] = [{ ref: start, parents: parentsOf(start), next: 0 }]
  while (path.length > 0) {
    const top = path[path.length - 1] as Step // the path is not empty
    const parent = top.parents[top.next]
    if (parent === undefined) {
      path.pop()
      open.delete(top.ref)
      done.add(top.ref)
      const node = nodes.get(top.ref)
      if (node) placed.push({ node, distance: distances.get(top.ref) ?? 0 })
      continue
    }
    top.next += 1
    assert(!open.has(parent), 'lineage has no cycle (LINE-ACYCLIC)')
    if (done.has(parent) || !nodes.has(parent)) continue
    open.add(parent)
    path.push({ ref: parent, parents: parentsOf(parent), next: 0 })
  }
  return placed
}
