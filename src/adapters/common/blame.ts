import { diffArrays } from 'diff'
import type { Instant } from '../../domain/time.ts'
import type { DocumentVersion } from './documents.ts'

/** One line of a document, with the version that brought the line. */
export interface BlamedLine {
  readonly line: number
  readonly text: string
  readonly by: string
  readonly at: Instant
  /** The entry of the ledger that brought the line. */
  readonly seq: number
}

type Unnumbered = Omit<BlamedLine, 'line'>

/** Follows each line of the last version back to the version that brought the line. */
export function blameLines(
  versions: readonly DocumentVersion[],
  linesOf: (content: string) => readonly string[],
): readonly BlamedLine[] {
  let blamed: readonly Unnumbered[] = []
  for (const version of versions) blamed = carried(blamed, linesOf(version.content), version)
  return blamed.map((each, index) => ({ line: index + 1, ...each }))
}

/** Changed lines beyond which no difference is looked for, as the search is quadratic. */
const EDITS_MAX = 2_000

/** Lines that stay keep their origin; with too many changes, every line comes from the version. */
function carried(
  before: readonly Unnumbered[],
  lines: readonly string[],
  { actor: by, at, seq }: DocumentVersion,
): readonly Unnumbered[] {
  const texts = before.map(({ text }) => text)
  const brought = (text: string) => ({ text, by, at, seq })
  const parts = diffArrays(texts, [...lines], { maxEditLength: EDITS_MAX })
  if (parts === undefined) return lines.map(brought)
  let from = 0
  return parts.flatMap(({ added, removed, value, count }) => {
    if (added) return value.map(brought)
    from += count
    return removed ? [] : before.slice(from - count, from)
  })
}
