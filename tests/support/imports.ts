import path from 'node:path/posix'
import ts from 'typescript'
import { lineOf, parse, type SourceText, walk } from './source.ts'

export interface Import {
  /** What stands between the quotes; undefined when it is computed and cannot be read. */
  readonly specifier: string | undefined
  /** True when nothing of it is left after compiling. */
  readonly typeOnly: boolean
  readonly line: number
}

/** Every import, re-export, dynamic import and import type of a file. */
export function importsOf(file: SourceText): readonly Import[] {
  const found: Import[] = []
  const add = (node: ts.Node, specifier: ts.Node | undefined, typeOnly: boolean): void => {
    const text = specifier && ts.isStringLiteralLike(specifier) ? specifier.text : undefined
    found.push({ specifier: text, typeOnly, line: lineOf(node) })
  }
  walk(parse(file), (node) => {
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier, isTypeImport(node))
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier)
      add(node, node.moduleSpecifier, isTypeExport(node))
    else if (ts.isCallExpression(node) && isDynamicImport(node)) add(node, node.arguments[0], false)
    else if (ts.isImportTypeNode(node))
      add(node, ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true)
  })
  return found
}

/** The project path that a relative specifier means, or undefined for a package. */
export function resolveRelative(from: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? path.join(path.dirname(from), specifier) : undefined
}

function isTypeImport({ importClause: clause }: ts.ImportDeclaration): boolean {
  if (!clause) return false
  if (clause.isTypeOnly) return true
  const names = clause.namedBindings
  if (clause.name || !names || !ts.isNamedImports(names)) return false
  return names.elements.length > 0 && names.elements.every((element) => element.isTypeOnly)
}

function isTypeExport(node: ts.ExportDeclaration): boolean {
  if (node.isTypeOnly) return true
  const names = node.exportClause
  if (!names || !ts.isNamedExports(names)) return false
  return names.elements.length > 0 && names.elements.every((element) => element.isTypeOnly)
}

const isDynamicImport = (node: ts.CallExpression): boolean =>
  node.expression.kind === ts.SyntaxKind.ImportKeyword ||
  (ts.isIdentifier(node.expression) && node.expression.text === 'require')
