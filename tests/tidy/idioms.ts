import ts from 'typescript'
import { isCodePath, lineAt, lineOf, parse, type SourceText, walk } from '../support/source.ts'
import type { Finding } from './finding.ts'

/** Ways to switch a check off, and unfinished business. */
export function checkIdioms(files: readonly SourceText[]): readonly Finding[] {
  return files.filter(({ path }) => isCodePath(path)).flatMap(checkFile)
}

function checkFile(file: SourceText): readonly Finding[] {
  const root = parse(file)
  const comments = commentsOf(root)
  const findings: Finding[] = []
  const add = (line: number, message: string): void => {
    findings.push({ path: file.path, line, message })
  }
  for (const { text, line } of comments) {
    const message = commentRefusal(text)
    if (message !== undefined) add(line, message)
  }
  walk(root, (node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) add(lineOf(node), 'any: say what it is, or unknown')
    const method = calledMethod(node)
    if (method === 'only') add(lineOf(node), '.only leaves every other test out')
    if (method === 'skip' && !isArgued(node, comments))
      add(lineOf(node), '.skip without a reason: put // skip: why on the line above')
  })
  return findings
}

interface Comment {
  readonly text: string
  readonly line: number
}

function commentRefusal(text: string): string | undefined {
  if (/@ts-(ignore|nocheck)/.test(text)) return 'switches the type checker off'
  if (/@ts-expect-error(?!\W*\w+\W+\w)/.test(text)) return '@ts-expect-error without a reason'
  if (/\b(TODO|FIXME|XXX|HACK)\b/.test(text)) return 'unfinished business: do it, or leave it out'
  return
}

/** `x.only(…)`, `x.only.each(…)(…)` and the like: the method name inside the callee. */
function calledMethod(node: ts.Node): 'only' | 'skip' | undefined {
  if (!ts.isPropertyAccessExpression(node)) return
  const name = node.name.text
  if (name !== 'only' && name !== 'skip') return
  const { parent } = node
  const called = ts.isCallExpression(parent) && parent.expression === node
  const chained = ts.isPropertyAccessExpression(parent) && parent.expression === node
  return called || chained ? name : undefined
}

/** A comment on the same line or the one above, or vitest's own `context.skip('why')`. */
function isArgued(node: ts.Node, comments: readonly Comment[]): boolean {
  const line = lineOf(node)
  const beside = comments.filter((comment) => comment.line === line || comment.line === line - 1)
  if (beside.some(({ text }) => /skip: \S+ \S/.test(text))) return true
  const { parent } = node
  if (!ts.isPropertyAccessExpression(node) || !ts.isCallExpression(parent)) return false
  const declaresTest =
    ts.isIdentifier(node.expression) && /^(test|it|describe|suite)$/.test(node.expression.text)
  return !declaresTest && parent.arguments.some(ts.isStringLiteralLike)
}

function commentsOf(root: ts.SourceFile): readonly Comment[] {
  const found = new Map<number, Comment>()
  const visit = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(root.text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(root.text, node.getEnd()) ?? []),
    ]
    for (const { pos, end } of ranges)
      found.set(pos, { text: root.text.slice(pos, end), line: lineAt(root, pos) })
    for (const child of node.getChildren(root)) visit(child)
  }
  visit(root)
  return [...found.values()]
}
