/** A sentence with its position in the text, in UTF-16 units. */
export interface Sentence {
  readonly text: string
  readonly start: number
  readonly end: number
}

const SENTENCES_MAX = 256 // of a text; only the beginning of a longer text is read

// Up to a closing mark with quotes or brackets behind, or to the end of a line. A title's dot closes nothing.
const SENTENCE =
  /[^\s](?:[^.!?…。！？\n\r]|[.!?…](?![\s"'”’)\]]|$)|(?<=(?<!\p{L})(?:Dr|Mrs?|Ms|Mx|Prof|vs|ca|e\.g|i\.e|z\.B))\.(?= \S))*[.!?…。！？]*["'”’)\]]*/gu

/** The sentences of a text in their order, without the blanks between them. */
export function sentencesOf(text: string): readonly Sentence[] {
  const found: Sentence[] = []
  for (const match of text.matchAll(SENTENCE)) {
    const said = match[0].trimEnd()
    found.push({ text: said, start: match.index, end: match.index + said.length })
    if (found.length === SENTENCES_MAX) break
  }
  return found
}
