/** One figure of a run. A ratio is to a floor that the same run measured. */
export interface Figure {
  /** The part of the bench that took the figure. */
  readonly part?: string
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly ratio?: number
  /** What the design asks for, as text, and whether this run met it. */
  readonly budget?: string
  readonly met?: boolean
}

export type Record = (figure: Figure) => void

/** JSON lines for machines, a table for people; both as the run goes on. */
export function recorder(json: boolean): { readonly record: Record; readonly all: Figure[] } {
  const all: Figure[] = []
  return {
    all,
    record(figure) {
      all.push(figure)
      console.log(json ? JSON.stringify(figure) : lineOf(figure))
    },
  }
}

function lineOf({ name, value, unit, ratio, budget, met }: Figure): string {
  const shown = value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
  const verdict = met === undefined ? '' : met ? 'met' : 'MISSED'
  const cells = [
    name.padEnd(60),
    `${shown} ${unit}`.padStart(20),
    ratio === undefined ? ''.padEnd(14) : `${ratio.toFixed(2)} × floor`.padStart(14),
    budget === undefined ? '' : `  ${budget}: ${verdict}`,
  ]
  return cells.join('')
}

/** Middle and tail of a list of durations. */
export function quantiles(times: readonly number[]): {
  readonly p50: number
  readonly p95: number
  readonly p99: number
} {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

/** Runs `work` `times` over and gives each duration in milliseconds. */
export async function timed(times: number, work: (turn: number) => unknown): Promise<number[]> {
  const durations: number[] = []
  for (let turn = 0; turn < times; turn += 1) {
    const start = performance.now()
    await work(turn)
    durations.push(performance.now() - start)
  }
  return durations
}
