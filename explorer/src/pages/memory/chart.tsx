import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import type { NumberChange } from '../../../../src/engine/read/memory-view.ts'
import { useTheme } from '../../state/theme.ts'
import { resolved } from '../../ui/colours.ts'
import { percent } from '../../ui/format.ts'
import { mendLanguage } from '../../ui/language.ts'
import { sayError } from '../../ui/toasts.tsx'
import { seriesOf } from './series.ts'

export interface Track {
  readonly born: number
  readonly moves: readonly NumberChange[]
  readonly now: number
}

interface Props {
  readonly from: string
  readonly confidence: Track
  readonly strength: Track
}

const HEIGHT = 220

/** Two lines from birth to now; the list below it says the same in words. */
export function Chart({ from, confidence, strength }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  useEffect(() => {
    let chart: uPlot | null = null
    let isGone = false
    const watching = new ResizeObserver(([entry]) => {
      if (entry && chart) chart.setSize({ width: entry.contentRect.width, height: HEIGHT })
    })
    mendLanguage(navigator)
    void import('uplot').then(({ default: Plot }) => {
      if (isGone || !box.current) return
      const data = seriesOf({ from, now: Date.now(), tracks: [confidence, strength] })
      chart = new Plot(optionsFor(box.current.clientWidth), data, box.current)
      watching.observe(box.current)
    }, sayError)
    return () => {
      isGone = true
      watching.disconnect()
      chart?.destroy()
    }
  }, [from, confidence.now, strength.now, confidence.moves.length, strength.moves.length, theme])
  return (
    <div
      ref={box}
      class="chart"
      role="img"
      aria-label={`Confidence is ${percent(confidence.now)} after ${confidence.moves.length} changes, strength ${percent(strength.now)} after ${strength.moves.length}.`}
    />
  )
}

/** Days, or times where the whole picture is of a day or two. */
function daysOf(ticks: readonly number[]): string[] {
  const isShort = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0) < 2 * 86_400
  const [from, to] = isShort ? [11, 16] : [0, 10]
  return ticks.map((tick) => new Date(tick * 1000).toISOString().slice(from, to))
}

function optionsFor(width: number): uPlot.Options {
  const axis = {
    stroke: resolved('--soft'),
    grid: { stroke: resolved('--line'), width: 1 },
    ticks: { show: false },
  }
  const line = (label: string, colour: string) => ({
    label,
    stroke: resolved(colour),
    width: 2,
    points: { show: true, size: 6 },
    value: (_: uPlot, value: number | null) => (value === null ? '–' : percent(value)),
    spanGaps: true,
  })
  return {
    width,
    height: HEIGHT,
    cursor: { y: false },
    scales: { y: { range: [0, 1.04] } },
    axes: [
      { ...axis, space: 90, values: (_: uPlot, ticks: number[]) => daysOf(ticks) },
      {
        ...axis,
        size: 48,
        values: (_: uPlot, ticks: number[]) => ticks.map((tick) => percent(tick)),
      },
    ],
    series: [
      {
        value: (_: uPlot, at: number | null) =>
          at === null ? '–' : new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' '),
      },
      line('confidence', '--accent'),
      line('strength', '--c1'),
    ],
  }
}
