import { assert } from '../domain/errors.ts'
import type { RecordKind, Ref } from '../domain/ids.ts'
import { isFirstHand, isInferential, type LabelName, type SourceType } from '../domain/labels.ts'

/** Inference hops to first-hand memory. Null means none was found, and counts as over every cap. */
export interface Depth {
  readonly depthNearest: number | null
  readonly depthFarthest: number | null
}

interface DepthSubject {
  readonly kind: RecordKind
  readonly label: LabelName
  readonly sourceType: SourceType
  /** True where a kind may revise its own: a revision restates a conclusion and adds no hop. */
  readonly revises: boolean
}

export interface DepthParent extends Depth {
  readonly kind: RecordKind
}

export const NO_DEPTH: Depth = { depthNearest: null, depthFarthest: null }

/**
 * Depth from the depths of the parents, at the cost of one step a parent. The farthest hop is kept
 * beside the nearest: citing one first-hand parent must not launder the others.
 */
export function depthOf(subject: DepthSubject, parents: readonly DepthParent[]): Depth {
  const inferential = isInferential(subject.label, subject.sourceType)
  if (isFirstHand(subject.label) && !inferential) return { depthNearest: 0, depthFarthest: 0 }
  if (parents.length === 0) return NO_DEPTH
  let nearest: number | null = null
  let farthest: number | null = 0
  for (const parent of parents) {
    const isRevision = subject.revises && parent.kind === subject.kind
    const step = inferential && !isRevision ? 1 : 0
    if (parent.depthNearest !== null) {
      nearest = Math.min(nearest ?? Number.POSITIVE_INFINITY, parent.depthNearest + step)
    }
    if (parent.depthFarthest === null) farthest = null
    else if (farthest !== null) farthest = Math.max(farthest, parent.depthFarthest + step)
  }
  return { depthNearest: nearest, depthFarthest: farthest }
}

export const isOverCap = (depthFarthest: number | null, cap: number): boolean =>
  depthFarthest === null || depthFarthest > cap

export interface LineageNode {
  readonly ref: Ref
  readonly parents: readonly Ref[]
}

interface Placed<Node extends LineageNode> {
  readonly node: Node
  /** Steps from the memory in question; the shortest way counts. */
  readonly distance: number
}

/** Breadth-first distances from `start` along `next`; linear in the visited memories. */
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

/** A memory during the walk, open from its first parent until all parents are done. */
interface Visit<Node extends LineageNode> {
  readonly node: Node
  /** Index of the next parent. */
  next: number
  isDone: boolean
  distance: number
}

/**
 * Roots first, every memory after all of its parents. Uses no recursion, so a chain of thousands is
 * safe, and a cycle ends the walk.
 */
export function rootsFirst<Node extends LineageNode>(
  start: Ref,
  nodes: readonly Node[],
): readonly Placed<Node>[] {
  const visits = new Map<Ref, Visit<Node>>()
  for (const node of nodes) {
    visits.set(node.ref, { node, next: 0, isDone: false, distance: Number.POSITIVE_INFINITY })
  }
  const asked = visits.get(start)
  if (!asked) return []
  asked.distance = 0
  const placed: Visit<Node>[] = []
  const path = [asked]
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const ref = top.node.parents[top.next]
    if (ref === undefined) {
      top.isDone = true
      placed.push(top)
      path.pop()
      continue
    }
    top.next += 1
    const parent = visits.get(ref)
    if (!parent || parent.isDone) continue
    assert(parent.next === 0, 'lineage has no cycle (LINE-ACYCLIC)')
    path.push(parent)
  }
  measure(placed, visits)
  return placed
}

/** Measures from the last memory to the roots, so that children have their distance before parents. */
function measure<Node extends LineageNode>(
  placed: readonly Visit<Node>[],
  visits: ReadonlyMap<Ref, Visit<Node>>,
): void {
  for (let at = placed.length - 1; at >= 0; at -= 1) {
    const { node, distance } = placed[at] as Visit<Node> // `at` is inside the list
    for (const ref of node.parents) {
      const parent = visits.get(ref)
      if (parent) parent.distance = Math.min(parent.distance, distance + 1)
    }
  }
}
