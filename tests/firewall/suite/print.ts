import type { Figure } from './figure.ts'
import type { Row } from './table.ts'

export interface Measured {
  readonly row: Row
  /** Undefined where the outside data is absent. */
  readonly figure: Figure | undefined
  readonly isMet: boolean
  readonly open: string | undefined
}

const EXAMPLES_MAX = 3
const EXAMPLE_LENGTH_MAX = 160

/** Rows about the channels of one set become one line. */
function foldedRows(measured: readonly Measured[]): readonly Measured[] {
  const [apart, folded] = [[] as Measured[], [] as Measured[]]
  for (const each of measured) (each.row.set === 'laundering channels' ? folded : apart).push(each)
  const [first] = folded
  if (first === undefined) return apart
  const figures = folded.flatMap(({ figure }) => (figure ? [figure] : []))
  const misses = figures.flatMap((figure) => figure.misses)
  const figure = { bad: misses.length, of: figures.length, misses }
  const row = { ...first.row, name: 'laundered words, by channel' }
  return [...apart, { ...first, row, figure, isMet: misses.length === 0 }]
}

const verdictOf = ({ figure, isMet, open }: Measured): string =>
  figure === undefined ? 'skipped' : isMet ? 'met' : open === undefined ? 'MISSED' : 'open'

const seenOf = ({ unit }: Row, { bad, of }: Figure): string =>
  unit === undefined ? `${bad} of ${of} wrong` : `${bad} ${unit}`

const cellsOf = (measured: Measured): readonly string[] => {
  const { row, figure } = measured
  return [
    verdictOf(measured),
    row.kind,
    row.door,
    row.use,
    row.name,
    row.set,
    figure === undefined ? 'no outside data here' : seenOf(row, figure),
    row.must,
    figure?.counts ?? '',
  ]
}

const HEAD = ['bar', 'kind', 'door', 'use', 'case', 'set', 'seen', 'must', 'counts'] as const

/** The whole suite as one table of text, with examples of what went wrong below it. */
export function printedTable(all: readonly Measured[]): string {
  const measured = foldedRows(all)
  const lines = [HEAD, ...measured.map(cellsOf)]
  const widths = HEAD.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)))
  const table = lines.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const examples = measured
    .filter(({ isMet, figure }) => !isMet && figure !== undefined)
    .flatMap(({ row, figure }) => [
      `${row.name}, ${row.door}, ${row.use}`,
      ...(figure?.misses ?? [])
        .slice(0, EXAMPLES_MAX)
        .map((miss) => `  - ${miss.replaceAll('\n', ' ').slice(0, EXAMPLE_LENGTH_MAX)}`),
    ])
  return [...table, '', 'Examples of what went wrong', ...examples, ''].join('\n')
}
