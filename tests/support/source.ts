import ts from 'typescript'

/** A file of the project: its path from the root, with forward slashes, and its text. */
export interface SourceText {
  readonly path: string
  readonly text: string
}

export function parse({ path, text }: SourceText): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
}

/** Calls `visit` with every node below and including `root`, parents first. */
export function walk(root: ts.Node, visit: (node: ts.Node) => void): void {
  visit(root)
  root.forEachChild((child) => walk(child, visit))
}

/** The 1-based line on which a node starts. */
export const lineOf = (node: ts.Node): number => lineAt(node.getSourceFile(), node.getStart())

export const lineAt = (file: ts.SourceFile, position: number): number =>
  file.getLineAndCharacterOfPosition(position).line + 1

export const isTestPath = (path: string): boolean => /\.test(-d)?\.ts$/.test(path)

export const isCodePath = (path: string): boolean => /\.(ts|tsx|mts|cts|js|mjs|cjs)$/.test(path)
