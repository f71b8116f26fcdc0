import type { TimelineStep } from '../../../../src/engine/claims/timelines.ts'
import { clipped, shown } from '../../ui/format.ts'
import { scaleOf } from './scale.ts'

const WIDTH = 720
const LEFT = 96
const RIGHT = 16
const ROW = 34
const TOP = 26
const VALUE_MAX = 32 // characters of a value

const COLOURS: Readonly<Record<TimelineStep['status'], string>> = {
  held: 'var(--c3)',
  contested: 'var(--c2)',
  beside: 'var(--c8)',
  replaced: 'var(--c8)',
  past: 'var(--c7)',
  planned: 'var(--c1)',
  retracted: 'var(--c5)',
  denied: 'var(--c5)',
  set_aside: 'var(--c8)',
}

/**
 * Two times at once: across, when each claim held; down, when it was said. A bar that ends in a
 * point goes on; the notch shows when on the same scale it was said.
 */
export function TimelineChart({ steps }: { readonly steps: readonly TimelineStep[] }) {
  if (steps.length === 0) return null
  const rows = [...steps].sort((a, b) => (a.saidAt < b.saidAt ? -1 : 1))
  const scale = scaleOf(rows, Date.now(), { from: LEFT, to: WIDTH - RIGHT })
  const height = TOP + rows.length * ROW + 8
  return (
    <figure class="timeline-chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-label="Claims along valid time, in the order in which they were said"
      >
        {scale.ticks.map(({ x, text }) => (
          <g key={x}>
            <line x1={x} x2={x} y1={TOP - 6} y2={height} class="tick" />
            <text x={x} y={14} text-anchor="middle">
              {text}
            </text>
          </g>
        ))}
        <line x1={scale.now} x2={scale.now} y1={TOP - 6} y2={height} class="now" />
        {rows.map((step, index) => (
          <Bar key={step.ref} step={step} y={TOP + index * ROW} {...scale.spanOf(step)} />
        ))}
      </svg>
      <figcaption class="soft small">
        Across: when it held. Down: when it was said. Dashed: now.
      </figcaption>
    </figure>
  )
}

interface BarProps {
  readonly step: TimelineStep
  readonly y: number
  readonly x1: number
  readonly x2: number
  readonly said: number
  readonly isOpen: boolean
}

function Bar({ step, y, x1, x2, said, isOpen }: BarProps) {
  const h = ROW - 12
  const tip = isOpen ? 8 : 0
  const end = Math.max(x1 + 6, x2)
  const path = `M${x1} ${y} H${end - tip} L${end} ${y + h / 2} L${end - tip} ${y + h} H${x1} Z`
  const isWide = end - x1 > 90
  return (
    <g>
      <title>
        {`${shown(step.value)}: ${step.status}, said ${step.saidAt.slice(0, 10)} by ${step.actor}`}
      </title>
      <text x={4} y={y + h / 2 + 4}>
        {step.saidAt.slice(0, 10)}
      </text>
      <path d={path} style={{ fill: COLOURS[step.status] }} class={`bar ${step.status}`} />
      <line x1={said} x2={said} y1={y - 3} y2={y + h + 3} class="said" />
      <text
        x={isWide ? x1 + 8 : x1 - 6}
        y={y + h / 2 + 4}
        text-anchor={isWide ? 'start' : 'end'}
        class={isWide ? 'inside' : ''}
      >
        {clipped(shown(step.value), VALUE_MAX)}
      </text>
    </g>
  )
}
