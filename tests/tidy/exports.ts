import ts from 'typescript'
import { isCodePath, lineOf, parse, type SourceText, walk } from '../support/source.ts'
import type { Finding } from './finding.ts'

/** Files whose tool asks for a default export. */
const DEFAULT_EXPORTS: Readonly<Record<string, string>> = {
  'rolldown.config.ts': 'rolldown reads its configuration from the default export',
  'explorer/vite.config.ts': 'vite reads its configuration from the default export',
  'tests/support/seeded-fast-check.ts': 'stands for fast-check, which has a default export',
  'vitest.config.ts': 'vitest reads its configuration from the default export',
}

/** Default exports anywhere, and barrels in src that are no entry of the package. */
export function checkExports(
  files: readonly SourceText[],
  entries: readonly string[],
): readonly Finding[] {
  return files
    .filter(({ path }) => isCodePath(path))
    .flatMap((file) => [...defaultExports(file), ...barrels(file, entries)])
}

function defaultExports(file: SourceText): readonly Finding[] {
  if (DEFAULT_EXPORTS[file.path]) return []
  const findings: Finding[] = []
  walk(parse(file), (node) => {
    if (isDefaultExport(node))
      findings.push({ path: file.path, line: lineOf(node), message: 'default export: name it' })
  })
  return findings
}

const isDefaultExport = (node: ts.Node): boolean =>
  ts.isExportAssignment(node) ||
  (ts.isExportSpecifier(node) && node.name.text === 'default') ||
  (ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) === true)

function barrels(file: SourceText, entries: readonly string[]): readonly Finding[] {
  if (!file.path.startsWith('src/') || entries.includes(file.path)) return []
  if (/\/index\.ts$/.test(file.path))
    return [{ path: file.path, line: 1, message: 'a barrel that is no entry of the package' }]
  const statements = parse(file).statements
  const passesOn = (node: ts.Statement): boolean =>
    ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined
  if (statements.length === 0 || !statements.every(passesOn)) return []
  return [{ path: file.path, line: 1, message: 'only passes names on: a barrel by another name' }]
}
