/** Functions to walk a tree and to draw each node. */
interface Drawing<Node> {
  readonly keyOf: (node: Node) => string
  readonly next: (node: Node) => readonly Node[]
  /** The lines of a node, given the room beside its margin. */
  readonly lines: (node: Node, at: { readonly again: boolean; readonly margin: number }) => string[]
}

const STEP = 3 // columns a level takes

const LEVELS_INDENTED_MAX = 12 // deeper levels keep this margin

interface Visit<Node> {
  readonly node: Node
  /** Margins of the first line, and of the others. */
  readonly first: string
  readonly rest: string
}

/**
 * Draws each node once; a repeated node is only named. A worklist replaces recursion, since a
 * lineage may be a hundred thousand deep.
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
