/** How to walk something tree-like and what to write for each thing met. */
export interface Drawing<Node> {
  readonly keyOf: (node: Node) => string
  readonly next: (node: Node) => readonly Node[]
  /** The lines of one node, given the room that is left beside its margin. */
  readonly lines: (node: Node, at: { readonly again: boolean; readonly margin: number }) => string[]
}

const STEP = 3 // columns a level takes
const LEVELS_INDENTED_MAX = 12 // deeper than this the margin stays where it is

interface Visit<Node> {
  readonly node: Node
  /** What stands before the first line, and before the others. */
  readonly first: string
  readonly rest: string
}

/**
 * Draws a node and what hangs from it, each node once: met again it is only named. A worklist rather than
 * recursion, since a lineage may be a hundred thousand deep.
 */
export function drawTree<Node>(root: Node, drawing: Drawing<Node>): readonly string[] {
  const drawn: string[] = []
  const seen = new Set<string>()
  const waiting: Visit<Node>[] = [{ node: root, first: '', rest: '' }]
  for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
    const { node, first, rest } = visit
    const key = drawing.keyOf(node)
    const again = seen.has(key)
    seen.add(key)
    const below = again ? [] : drawing.next(node)
    const stem = below.length > 0 ? `${rest}│  ` : `${rest}   `
    const lines = drawing.lines(node, { again, margin: stem.length })
    for (const [index, line] of lines.entries()) {
      drawn.push(`${index === 0 ? first : stem}${line}`.trimEnd())
    }
    waiting.push(...[...branches(below, rest)].reverse())
  }
  return drawn
}

function branches<Node>(nodes: readonly Node[], rest: string): readonly Visit<Node>[] {
  const margin = rest.slice(0, LEVELS_INDENTED_MAX * STEP)
  return nodes.map((node, index) => {
    const isLast = index === nodes.length - 1
    return {
      node,
      first: `${margin}${isLast ? '└─ ' : '├─ '}`,
      rest: `${margin}${isLast ? '   ' : '│  '}`,
    }
  })
}
