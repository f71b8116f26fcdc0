const SIGNED = '\u2014 '

/**
 * The signed note in a text, in any form: plain, behind a page's margin, or in the JSON of a
 * checkpoint. Null without a note.
 */
export function headIn(text: string): string | null {
  const lines = noteOf(text)
    .split(/\r?\n/)
    .map((line) => line.trim())
  const first = lines.findIndex((line) => line.startsWith(SIGNED))
  if (first < 2 || lines[first - 1] !== '') return null
  const above = lines.slice(0, first - 1)
  const said = above.slice(above.lastIndexOf('') + 1)
  const rest = lines.slice(first)
  const end = rest.findIndex((line) => !line.startsWith(SIGNED))
  const signatures = end < 0 ? rest : rest.slice(0, end)
  return `${said.join('\n')}\n\n${signatures.join('\n')}\n`
}

function noteOf(text: string): string {
  if (!text.trimStart().startsWith('{')) return text
  try {
    const { note } = JSON.parse(text) as { readonly note?: unknown } // checked below
    return typeof note === 'string' ? note : text
  } catch {
    return text
  }
}
