import type cytoscape from 'cytoscape'
import { useEffect, useRef } from 'preact/hooks'
import type { LineageStep } from '../../../../src/engine/read/memory-view.ts'
import { go, hrefOf } from '../../state/router.ts'
import { useStack } from '../../state/stack.ts'
import { useTheme } from '../../state/theme.ts'
import { kindVariable, resolved } from '../../ui/colours.ts'
import { clipped, spoken } from '../../ui/format.ts'
import { placed } from './graph-layout.ts'

interface Props {
  readonly focus: LineageStep
  readonly up: readonly LineageStep[]
  readonly down: readonly LineageStep[]
}

const WORDS_MAX = 72 // characters on a node
const READABLE = 0.85 // the smallest zoom at which a node can be read

/** The lineage as a picture to pan, zoom and follow; the list below holds the same memories. */
export function Graph({ focus, up, down }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const graph = useRef<cytoscape.Core | null>(null)
  const stack = useStack()
  const theme = useTheme()
  useEffect(() => {
    let isGone = false
    void import('cytoscape').then(({ default: draw }) => {
      if (isGone || !box.current) return
      keepStylesOut()
      graph.current = draw({
        container: box.current,
        elements: elementsOf({ focus, up, down }),
        layout: { name: 'preset', fit: true, padding: 24 },
        style: styleOf(),
        minZoom: 0.08,
        maxZoom: 2.5,
        autoungrabify: true,
        boxSelectionEnabled: false,
      })
      const { current: shown } = graph
      if (shown.zoom() > 1) shown.zoom(1).center()
      // A wide lineage begins at the memory in the middle; "All" shows the whole picture.
      if (shown.zoom() < READABLE) shown.zoom(READABLE).center(shown.nodes('.focus'))
      graph.current.on('tap', 'node', (event) => {
        go(hrefOf(stack, 'memory', String(event.target.id())))
      })
    })
    return () => {
      isGone = true
      graph.current?.destroy()
      graph.current = null
    }
  }, [focus.memory.ref, up, down, theme, stack])
  const zoom = (by: number): void => {
    const shown = graph.current
    if (!shown || !box.current) return
    const { clientWidth: w, clientHeight: h } = box.current
    shown.zoom({ level: shown.zoom() * by, renderedPosition: { x: w / 2, y: h / 2 } })
  }
  return (
    <div class="graph">
      <div
        ref={box}
        class="graph-box"
        role="img"
        aria-label={`Lineage: ${up.length} sources above, ${down.length} memories below. The list below holds the same memories.`}
      />
      <div class="graph-tools">
        <button type="button" class="btn" aria-label="Zoom in" onClick={() => zoom(1.3)}>
          +
        </button>
        <button type="button" class="btn" aria-label="Zoom out" onClick={() => zoom(1 / 1.3)}>
          −
        </button>
        <button type="button" class="btn" onClick={() => graph.current?.fit(undefined, 24)}>
          All
        </button>
      </div>
    </div>
  )
}

/** It would write a style of its own into the page, which nothing may; ours stands in pages.css. */
function keepStylesOut(): void {
  const id = '__________cytoscape_stylesheet'
  if (document.getElementById(id)) return
  document.head.append(Object.assign(document.createElement('meta'), { id }))
}

function elementsOf({ focus, up, down }: Props): cytoscape.ElementDefinition[] {
  const all = [focus, ...up, ...down]
  const byRef = new Map(all.map((step) => [String(step.memory.ref), step]))
  const known = (step: LineageStep) => ({
    ref: step.memory.ref,
    parents: step.parents.filter((parent) => byRef.has(parent)),
  })
  const places = placed(focus.memory.ref, [focus, ...up].map(known), [focus, ...down].map(known))
  const nodes = places.flatMap(({ ref, x, y }) => {
    const memory = byRef.get(ref)?.memory
    if (!memory) return []
    const classes = ref === focus.memory.ref ? 'focus' : ''
    const kind = `${spoken(memory.kind)} · tier ${memory.tier}`
    const label = `${clipped(memory.text, WORDS_MAX)}\n${kind}`
    const colour = resolved(kindVariable(memory.kind))
    return [{ data: { id: ref, label, colour }, position: { x, y }, classes }]
  })
  const edges = all.flatMap((step) =>
    known(step).parents.map((parent) => ({
      data: { id: `${parent}>${step.memory.ref}`, source: parent, target: step.memory.ref },
    })),
  )
  return [...nodes, ...edges]
}

const styleOf = (): cytoscape.StylesheetJson => [
  {
    selector: 'node',
    style: {
      shape: 'round-rectangle',
      width: 200,
      height: 84,
      'background-color': resolved('--card'),
      'border-width': 2,
      'border-color': 'data(colour)',
      label: 'data(label)',
      color: resolved('--ink'),
      'font-size': 13,
      'font-family': 'system-ui, sans-serif',
      'text-wrap': 'wrap',
      'text-max-width': '184px',
      'text-valign': 'center',
      'text-halign': 'center',
    },
  },
  {
    selector: 'node.focus',
    style: { 'border-width': 4, 'background-color': resolved('--accent-soft') },
  },
  {
    selector: 'edge',
    style: {
      width: 1.5,
      'line-color': resolved('--strong-line'),
      'target-arrow-color': resolved('--strong-line'),
      'target-arrow-shape': 'triangle',
      'arrow-scale': 0.8,
      'curve-style': 'bezier',
    },
  },
]
