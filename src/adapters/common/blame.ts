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

const COMPARED_MAX = 4_000_000 // pairs of lines; past this a changed middle counts as new

/** Follows each line of the last version back to the version that brought the line. */
export function blameLines(
  versions: readonly DocumentVersion[],
  linesOf: (content: string) => readonly string[],
): readonly BlamedLine[] {
  let blamed: readonly Unnumbered[] = []
  for (const { content, actor, at, seq } of versions) {
    const lines = linesOf(content)
    const kept = keptLines(
      blamed.map(({ text }) => text),
      lines,
    )
    const before = blamed
    blamed = lines.map((text, index) => {
      const from = kept.get(index)
      const known = from === undefined ? undefined : before[from]
      return known ?? { text, by: actor, at, seq }
    })
  }
  return blamed.map((each, index) => ({ line: index + 1, ...each }))
}

/** The place of each kept line in the older text, by the place in the newer text. */
function keptLines(older: readonly string[], newer: readonly string[]): Map<number, number> {
  const kept = new Map<number, number>()
  let start = 0
  while (start < older.length && start < newer.length && older[start] === newer[start]) {
    kept.set(start, start)
    start += 1
  }
  let [o, n] = [older.length, newer.length]
  while (o > start && n > start && older[o - 1] === newer[n - 1]) {
    o -= 1
    n -= 1
    kept.set(n, o)
  }
  if ((o - start) * (n - start) > COMPARED_MAX) return kept
  const middle = longestCommon(older.slice(start, o), newer.slice(start, n))
  for (const [from, to] of middle) kept.set(to + start, from + start)
  return kept
}

function longestCommon(a: readonly string[], b: readonly string[]): readonly [number, number][] {
  const width = b.length + 1
  const lengths = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const length = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
      lengths[i * width + j] = length
    }
  }
  const pairs: [number, number][] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      pairs.push([i, j])
      i += 1
      j += 1
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1
    else j += 1
  }
  return pairs
}
