import { diffArrays } from 'diff'
import { EDITS_MAX, type FileVersion } from './file-history.ts'

/** A line of a file with the version that brought the line. */
export interface BlamedLine {
  readonly line: number
  readonly text: string
  /** Null for a line that is not in the history yet. */
  readonly version: FileVersion | null
}

interface Origin {
  readonly text: string
  readonly version: FileVersion | null
}

const linesOf = (text: string): readonly string[] => {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** The origin of every line of the text, by the versions of its file. */
export function blame(versions: readonly FileVersion[], now: string): readonly BlamedLine[] {
  let lines: readonly Origin[] = []
  for (const version of versions) {
    if (version.isGone) continue // a file that comes back has its lines back
    // The lines of an erased version are unknown: the next whole version brings all lines.
    lines = version.text === null ? [] : carried(lines, version.text, version)
  }
  return carried(lines, now, null).map((origin, index) => ({ line: index + 1, ...origin }))
}

/** Lines that stay keep their origin; with too many changes, every line comes from the version. */
function carried(
  before: readonly Origin[],
  text: string,
  version: FileVersion | null,
): readonly Origin[] {
  const after = linesOf(text)
  const origins: Origin[] = []
  const parts = diffArrays(
    before.map((each) => each.text),
    [...after],
    { maxEditLength: EDITS_MAX },
  )
  if (parts === undefined) return after.map((line) => ({ text: line, version }))
  let at = 0
  for (const part of parts) {
    if (part.removed) at += part.count
    else if (part.added) origins.push(...part.value.map((line) => ({ text: line, version })))
    else {
      origins.push(...before.slice(at, at + part.count))
      at += part.count
    }
  }
  return origins
}
