import ts from 'typescript'
import type { FailingSeed } from '../support/failing-seeds.ts'
import { isCodePath, isTestPath, lineOf, parse, type SourceText, walk } from '../support/source.ts'
import type { Finding } from './finding.ts'

/** Files that give seeds to all others. */
const GIVES_SEEDS: ReadonlySet<string> = new Set([
  'tests/support/each-seed.ts',
  'tests/support/exploration.ts',
  'tests/support/seeded-fast-check.ts',
])

/** Members of fast-check that would run a property, or set a seed, outside the one place. */
const OUTSIDE = new Set(['check', 'statistics', 'configureGlobal', 'resetConfigureGlobal'])

/** `npm test` is deterministic: seeds come from tests/support, and chance from a seed. */
export function checkSeeds(files: readonly SourceText[]): readonly Finding[] {
  return files
    .filter(({ path }) => isCodePath(path) && (isTestPath(path) || path.startsWith('tests/')))
    .filter(({ path }) => !GIVES_SEEDS.has(path))
    .flatMap((file) => {
      const findings: Finding[] = []
      walk(parse(file), (node) => {
        const message = refusalOf(node)
        if (message !== undefined) findings.push({ path: file.path, line: lineOf(node), message })
      })
      return findings
    })
}

function refusalOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const from = node.moduleSpecifier.text
    if (from !== 'fast-check' && from.includes('fast-check/')) {
      return `imports ${from}: import 'fast-check', which takes its seed from tests/support`
    }
  }
  if (ts.isPropertyAccessExpression(node)) {
    const called = `${node.expression.getText()}.${node.name.text}`
    if (called === 'Math.random') return 'Math.random(): draw from seededDice or count instead'
    if (/^process\.env\.MUNIMENT_(SEED|EXPLORATION)/.test(called)) {
      return `${called} is read by tests/support/exploration.ts alone`
    }
    if (node.expression.getText() === 'fc' && OUTSIDE.has(node.name.text)) {
      return `${called}: state the property with fc.assert, which takes its seed from tests/support`
    }
  }
  if (ts.isForStatement(node) && /^let seed\b/.test(node.initializer?.getText() ?? '')) {
    return 'a loop over seeds: use forEachSeed of tests/support/each-seed.ts'
  }
  if (isAssertWithSeed(node)) return 'a property with a seed of its own: add the seed to the table'
  return
}

/** `fc.assert(property, { seed: … })`. */
const isAssertWithSeed = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  node.expression.getText() === 'fc.assert' &&
  node.arguments.slice(1).some((each) => /\b(seed|path)\b\s*[:,}]/.test(each.getText()))

/** A row of the table names a test that exists; otherwise the row would repeat nothing. */
export function checkFailingSeeds(
  rows: readonly FailingSeed[],
  files: readonly SourceText[],
): readonly Finding[] {
  return rows.flatMap(({ file: path, test }) => {
    const file = files.find((each) => each.path === path)
    if (!file) return [{ path, line: 1, message: 'a failing seed names a file that is not there' }]
    const title =
      test
        .split(' > ')
        .at(-1)
        ?.replace(/^(\[[\w-]+(?:, [\w-]+)*\] ?)+/, '') ?? ''
    if (titlesIn(file).some((each) => each.test(title))) return []
    return [{ path, line: 1, message: `a failing seed names a test that is not there: ${test}` }]
  })
}

/** Patterns of all texts of a file; a text that is put together matches with anything in it. */
function titlesIn(file: SourceText): readonly RegExp[] {
  const found: RegExp[] = []
  walk(parse(file), (node) => {
    if (ts.isStringLiteralLike(node)) found.push(patternOf([node.text]))
    if (ts.isTemplateExpression(node)) {
      found.push(
        patternOf([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]),
      )
    }
  })
  return found
}

const patternOf = (texts: readonly string[]): RegExp =>
  new RegExp(
    `^${texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`,
    's',
  )
