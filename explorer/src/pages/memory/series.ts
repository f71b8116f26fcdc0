import type { NumberChange } from '../../../../src/engine/read/memory-view.ts'

interface Track {
  readonly born: number
  readonly moves: readonly NumberChange[]
  readonly now: number
}

interface Given {
  readonly from: string
  readonly now: number
  readonly tracks: readonly [Track, Track]
}

type Series = [number[], (number | null)[], (number | null)[]]

/**
 * Points as they are on record: the value at birth, before and after every change, and today's. What
 * lies between two of them is what time took, drawn as the straight line that it is.
 */
export function seriesOf({ from, now, tracks }: Given): Series {
  const points = tracks.map(({ born, moves, now: today }) => [
    [seconds(from), born] as const,
    ...moves.flatMap((move) => {
      const at = seconds(move.time)
      return [[at - STEP_S, move.old] as const, [at, move.new] as const]
    }),
    [now / 1000, today] as const,
  ])
  const times = [...new Set(points.flat().map(([at]) => at))].sort((a, b) => a - b)
  const valuesOf = (track: readonly (readonly [number, number])[]): (number | null)[] => {
    const known = new Map(track)
    return times.map((at) => known.get(at) ?? null)
  }
  return [times, valuesOf(points[0] ?? []), valuesOf(points[1] ?? [])]
}

const STEP_S = 1 // a change is a step, and a step needs two points

const seconds = (instant: string): number => Date.parse(instant) / 1000
