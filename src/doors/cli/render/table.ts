/** A cell with the text that is measured and the text that is shown: colour has no width. */
export interface Cell {
  readonly text: string
  readonly shown?: string
  readonly right?: true
}

const GAP = '  '

/** Columns as wide as they need to be; the last one is not padded. */
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
