import { clip } from './words.ts'

/** A cell with separate measured and shown text: colour has no width. */
export interface Cell {
  readonly text: string
  readonly shown?: string
  readonly right?: true
}

const GAP = '  '

/** Columns as wide as they need to be; the last column is not padded. */
export function table(rows: readonly (readonly Cell[])[]): readonly string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, { text }] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, [...text].length)
    }
  }
  return rows.map((row) =>
    row
      .map(({ text, shown = text, right }, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - [...text].length)
        if (right) return `${space}${shown}`
        return column === row.length - 1 ? shown : `${shown}${space}`
      })
      .join(GAP),
  )
}

const LAST_MIN = 24 // characters; a narrower text says nothing

/** A table whose last column is cut to the rest of the line. */
export function clippedTable(rows: readonly (readonly Cell[])[], width: number): readonly string[] {
  const beside = rows.map((row) => row.slice(0, -1).map(({ text }) => ({ text })))
  const lines = table(beside.map((row) => [...row, { text: '' }]))
  const taken = lines.reduce((widest, line) => Math.max(widest, length(line)), 0)
  return table(
    rows.map((row) => {
      const last = row.at(-1)
      const text = clip(last?.text ?? '', Math.max(LAST_MIN, width - taken))
      return [...row.slice(0, -1), { text }]
    }),
  )
}

const length = (line: string): number => [...line].length
