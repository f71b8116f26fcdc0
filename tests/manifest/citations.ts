import ts from 'typescript'
import { importsOf, resolveRelative } from '../support/imports.ts'
import { isTestPath, lineOf, parse, type SourceText, walk } from '../support/source.ts'

export interface Citation {
  readonly id: string
  readonly title: string
  readonly path: string
  readonly line: number
}

export interface Scan {
  readonly citations: readonly Citation[]
  /** Citations that count for nothing, each with what to do about it. */
  readonly problems: readonly string[]
}

const isSuite = (path: string): boolean => path.startsWith('src/testing/') && !isTestPath(path)

const mayCite = (path: string): boolean =>
  /^(src|tests)\/.*\.test\.ts$/.test(path) || (isSuite(path) && path.endsWith('.ts'))

/** Finds every `holds(…)` of the tests, and of the conformance suites that some test imports. */
export function scanCitations(files: readonly SourceText[]): Scan {
  const citations: Citation[] = []
  const problems: string[] = []
  const run = reachedByTests(files)
  for (const file of files.filter(({ path }) => mayCite(path))) {
    const found = scanFile(file)
    problems.push(...found.problems)
    if (run.has(file.path)) citations.push(...found.citations)
    else if (found.citations.length > 0)
      problems.push(`${file.path}: cites ${idsOf(found.citations)}, but no test imports this suite`)
  }
  return { citations, problems }
}

function scanFile(file: SourceText): Scan {
  const citations: Citation[] = []
  const problems: string[] = []
  if (!/\bholds\b/.test(file.text)) return { citations, problems }
  walk(parse(file), (node) => {
    if (!ts.isCallExpression(node) || !isHolds(node.expression)) return
    const ids = literalsOf(node.arguments[0])
    const title = textOf(node.arguments[1])
    const line = lineOf(node)
    if (ids.length === 0 || title === undefined || title.trim() === '')
      problems.push(`${file.path}:${line}: holds() takes literal ids and a literal title`)
    else for (const id of ids) citations.push({ id, title, path: file.path, line })
  })
  return { citations, problems }
}

const isHolds = (callee: ts.Expression): boolean =>
  ts.isIdentifier(callee) && callee.text === 'holds'

const textOf = (node: ts.Node | undefined): string | undefined =>
  node && ts.isStringLiteralLike(node) ? node.text : undefined

/** The strings of one literal or of an array of literals; none at all if any is computed. */
function literalsOf(node: ts.Node | undefined): readonly string[] {
  const parts = node && ts.isArrayLiteralExpression(node) ? [...node.elements] : [node]
  const texts = parts.map(textOf)
  return texts.every((text) => text !== undefined) ? texts : []
}

const idsOf = (citations: readonly Citation[]): string =>
  [...new Set(citations.map(({ id }) => id))].join(', ')

/** The test files and all that they import, directly or not. */
function reachedByTests(files: readonly SourceText[]): ReadonlySet<string> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const reached = new Set<string>()
  const waiting = files.filter(({ path }) => path.endsWith('.test.ts'))
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (reached.has(file.path)) continue
    reached.add(file.path)
    for (const { specifier, typeOnly } of importsOf(file)) {
      const target = specifier && !typeOnly ? resolveRelative(file.path, specifier) : undefined
      const next = target === undefined ? undefined : byPath.get(target)
      if (next) waiting.push(next)
    }
  }
  return reached
}
