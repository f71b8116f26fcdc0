import ts from 'typescript'
import { isTestPath, lineOf, parse, type SourceText, walk } from '../support/source.ts'
import type { Finding } from './finding.ts'
import { ROOMS, roomOf } from './rooms.ts'

/** Where a clock or chance may be read, by the beginning of the path, and why. */
const CLOCK_AND_CHANCE: Readonly<Record<string, string>> = {
  'src/compose/':
    'the composition root makes the real clock, ids and randomness and passes them on',
  'src/doors/': 'a door times its own requests; what it hands in is stamped by the stack',
}

/** Names that read a clock or roll dice, wherever they hang. */
const CLOCK_NAMES = new Set([
  'randomUUID',
  'randomBytes',
  'randomInt',
  'getRandomValues',
  'performance',
  'hrtime',
])

/** Globals that reach the machine. A local of that name would only mislead, so it is refused too. */
const MACHINE_GLOBALS = new Set([
  'process',
  'globalThis',
  'crypto',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
])

/** These answer by the machine's language and time zone. */
const LOCALE_NAMES =
  /^(localeCompare|toLocale\w*|getTimezoneOffset|getHours|getDay|getDate|getMonth|getFullYear)$/

export function checkPurity(files: readonly SourceText[]): readonly Finding[] {
  return files
    .filter(({ path }) => path.startsWith('src/') && !isTestPath(path))
    .flatMap((file) => checkFile(file))
}

function checkFile(file: SourceText): readonly Finding[] {
  const pure = ROOMS[roomOf(file.path) ?? '']?.pure === true
  const exempt = Object.keys(CLOCK_AND_CHANCE).some((start) => file.path.startsWith(start))
  const findings: Finding[] = []
  walk(parse(file), (node) => {
    const clock = exempt ? undefined : clockUse(node)
    const machine = pure ? machineUse(node) : undefined
    const message = clock ?? machine
    if (message !== undefined) findings.push({ path: file.path, line: lineOf(node), message })
  })
  return findings
}

function clockUse(node: ts.Node): string | undefined {
  if (!ts.isIdentifier(node)) return
  if (CLOCK_NAMES.has(node.text)) return `${node.text}: time and chance are passed in`
  if (node.text === 'Date' && !isHarmlessDate(node)) return 'reads the clock: take it as a value'
  if (node.text === 'Math' && !isHarmlessMath(node)) return 'rolls dice: take randomness as a value'
  return
}

/** As a type, with a time given, to parse one, or to recognise one. */
function isHarmlessDate(node: ts.Identifier): boolean {
  const { parent } = node
  if (isPropertyName(node) || ts.isTypeReferenceNode(parent)) return true
  if (ts.isNewExpression(parent)) return (parent.arguments?.length ?? 0) > 0
  if (ts.isPropertyAccessExpression(parent)) return /^(parse|UTC|prototype)$/.test(parent.name.text)
  return (
    ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword
  )
}

/** Only `Math.name`: taken apart or indexed, `random` could not be seen. */
function isHarmlessMath(node: ts.Identifier): boolean {
  const { parent } = node
  if (isPropertyName(node)) return true
  return ts.isPropertyAccessExpression(parent) && parent.name.text !== 'random'
}

function machineUse(node: ts.Node): string | undefined {
  if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword)
    return 'import.meta: a pure room does not know where it runs'
  if (!ts.isIdentifier(node)) return
  if (LOCALE_NAMES.test(node.text)) return `${node.text}: answers by the language of the machine`
  if (MACHINE_GLOBALS.has(node.text) && !isPropertyName(node))
    return `${node.text}: a pure room does not touch the machine`
  return
}

/** The name after a dot or before a colon belongs to some object, not to the global scope. */
function isPropertyName(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node
  if (ts.isQualifiedName(parent)) return parent.right === node
  return (
    (ts.isPropertyAssignment(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isMethodSignature(parent) ||
      ts.isMethodDeclaration(parent)) &&
    parent.name === node
  )
}
