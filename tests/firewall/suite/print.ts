import type { Figure } from './figure.ts'
import type { Row } from './table.ts'

export interface Measured {
  readonly row: Row
  /** Undefined where the outside data is absent. */
  readonly figure: Figure | undefined
  readonly isMet: boolean
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

const verdictOf = ({ figure, isMet }: Measured): string =>
  figure === undefined ? 'skipped' : isMet ? 'met' : 'MISSED'

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

const BEGIN = '<!-- suite: generated -->'
const END = '<!-- suite: end -->'

/** Places and rows compare by their number, wrong cases by their share. */
const weightOf = ({ row, figure: { bad, of } }: { readonly row: Row; readonly figure: Figure }) =>
  row.unit !== undefined || of === 0 ? bad : bad / of

/** The bars alone, in Markdown: each with the doors, how many rows meet the bar, and the worst row. */
export function barsTable(all: readonly Measured[]): string {
  const measured = foldedRows(all).flatMap(({ row, figure, isMet }) =>
    figure === undefined ? [] : [{ row, figure, isMet }],
  )
  const bars = new Map<string, (typeof measured)[number][]>()
  for (const each of measured) {
    const key = `${each.row.kind === 'attack' ? 'attack' : 'honest'} | ${each.row.must}`
    bars.set(key, [...(bars.get(key) ?? []), each])
  }
  const lines = [...bars].map(([bar, rows]) => {
    const doors = [...new Set(rows.map(({ row }) => row.door))].join(', ')
    const met = rows.filter(({ isMet }) => isMet).length
    const [worst] = rows.toSorted((a, b) => weightOf(b) - weightOf(a))
    const seen = worst === undefined ? '' : `${seenOf(worst.row, worst.figure)}: ${worst.row.name}`
    return `| ${bar} | ${doors} | ${met} of ${rows.length} | ${seen} |`
  })
  return [
    '| kind | must | doors | rows that meet the bar | worst row |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

/** The page with its generated part replaced; an error where the page has no place for the part. */
export function withBars(page: string, table: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin)
    throw new Error(`The page has no place for the table. Add the lines ${BEGIN} and ${END}.`)
  return `${page.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${page.slice(end)}`
}
