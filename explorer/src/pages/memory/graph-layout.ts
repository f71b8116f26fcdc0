/** A memory in the picture: what it was made from, of what is in the picture. */
export interface GraphNode {
  readonly ref: string
  readonly parents: readonly string[]
}

export interface Placed {
  readonly ref: string
  readonly x: number
  readonly y: number
  /** Below 0 it was made from, above 0 it was made from this. */
  readonly layer: number
}

const GAP_X = 220
const GAP_Y = 124

/**
 * Layers by the longest way from the memory in the middle, so that every line leads from one layer
 * to another: sources above, what rests on it below. Within a layer each stands near its neighbours.
 */
export function placed(
  focus: string,
  up: readonly GraphNode[],
  down: readonly GraphNode[],
): readonly Placed[] {
  const layers = new Map<string, number>([[focus, 0]])
  for (const [ref, depth] of longest(focus, childrenFirst(up))) layers.set(ref, -depth)
  for (const [ref, depth] of longest(focus, parentsFirst(down))) layers.set(ref, depth)
  const near = neighbours([...up, ...down])
  const rows = new Map<number, string[]>()
  for (const [ref, layer] of layers) rows.set(layer, [...(rows.get(layer) ?? []), ref])
  const xs = new Map<string, number>([[focus, 0]])
  const order = [...rows.keys()].sort((a, b) => Math.abs(a) - Math.abs(b))
  for (const layer of order) {
    const row = rows.get(layer) ?? []
    const pull = (ref: string): number => {
      const known = (near.get(ref) ?? []).flatMap((other) => xs.get(other) ?? [])
      return known.length === 0 ? 0 : known.reduce((sum, x) => sum + x, 0) / known.length
    }
    const sorted = row.map((ref) => ({ ref, at: pull(ref) })).sort((a, b) => a.at - b.at)
    const middle = sorted.reduce((sum, { at }) => sum + at, 0) / Math.max(1, sorted.length)
    sorted.forEach(({ ref }, index) => {
      xs.set(ref, middle + (index - (sorted.length - 1) / 2) * GAP_X)
    })
  }
  return [...layers].map(([ref, layer]) => ({ ref, layer, x: xs.get(ref) ?? 0, y: layer * GAP_Y }))
}

type Steps = ReadonlyMap<string, readonly string[]>

/** From each memory to what it was made from. */
const childrenFirst = (nodes: readonly GraphNode[]): Steps =>
  new Map(nodes.map(({ ref, parents }) => [ref, parents]))

/** From each memory to what was made from it. */
function parentsFirst(nodes: readonly GraphNode[]): Steps {
  const steps = new Map<string, string[]>()
  for (const { ref, parents } of nodes) {
    for (const parent of parents) steps.set(parent, [...(steps.get(parent) ?? []), ref])
  }
  return steps
}

/** Lineage never loops, so that every way ends. */
function longest(focus: string, steps: Steps): ReadonlyMap<string, number> {
  const depths = new Map<string, number>()
  const queue: string[] = [focus]
  for (const ref of queue) {
    const depth = depths.get(ref) ?? 0
    for (const next of steps.get(ref) ?? []) {
      if ((depths.get(next) ?? 0) > depth) continue
      depths.set(next, depth + 1)
      queue.push(next)
    }
  }
  depths.delete(focus)
  return depths
}

function neighbours(nodes: readonly GraphNode[]): ReadonlyMap<string, readonly string[]> {
  const near = new Map<string, string[]>()
  const add = (a: string, b: string): void => {
    near.set(a, [...(near.get(a) ?? []), b])
  }
  for (const { ref, parents } of nodes) {
    for (const parent of parents) {
      add(ref, parent)
      add(parent, ref)
    }
  }
  return near
}
