import { isCodePath, isTestPath, type SourceText } from '../support/source.ts'
import type { Finding } from './finding.ts'

export const LINES_MAX = 400

/** Files that are longer, by path, each with its argument. */
const LONG_FILES: Readonly<Record<string, string>> = {
  'src/stack.ts': 'every member of the stack protocol, one line or two each, and the facets',
}

/** Code past the limit, and arguments for files that no longer need one. */
export function checkSize(
  files: readonly SourceText[],
  argued: Readonly<Record<string, string>> = LONG_FILES,
): readonly Finding[] {
  const long = files
    .filter(({ path }) => isCodePath(path) && !isTestPath(path))
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > LINES_MAX)
  const unargued = long
    .filter(({ path }) => !argued[path]?.trim())
    .map(({ path, lines }) => ({
      path,
      line: LINES_MAX + 1,
      message: `${lines} lines: split it, or argue it in LONG_FILES`,
    }))
  const stale = Object.keys(argued)
    .filter((path) => !long.some((file) => file.path === path))
    .map((path) => ({ path, line: 1, message: 'in LONG_FILES without need: take it out' }))
  return [...unargued, ...stale]
}
