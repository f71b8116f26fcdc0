/**
 * Prints the size and shape of the code as one table: `npm run house`, or `npm run house -- ../other`
 * for another checkout with its packages installed.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import ts from 'typescript'
import { ROOT } from '../tests/support/project-files.ts'
import { isTestPath, lineAt, parse, type SourceText, walk } from '../tests/support/source.ts'
import { CYCLE_FILES_MAX, cyclesOf } from '../tests/tidy/cycles.ts'
import { roomOf } from '../tests/tidy/rooms.ts'
import { vagueShare } from '../tests/tidy/words.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const root = path.resolve(positionals[0] ?? ROOT)

const files = sources()
const rooms = grouped(files, ({ path: file }) => roomOf(file) ?? folderOf(file))
const cycles = cyclesOf(files)

const row = (name: string, value: string | number): void =>
  console.log(`${name.padEnd(52)} ${value}`)

row('production TypeScript, lines', sum(files.map(linesOf)))
row('… files', files.length)
row('… folders', new Set(files.map(({ path: file }) => path.dirname(file))).size)
row('… most files flat in one folder', Math.max(...counts(files.map((f) => path.dirname(f.path)))))
row('lines of a file, p50 / p90 / max', spread(files.map(linesOf)))
row('lines of a function, p50 / p90 / max', spread(files.flatMap(functionLines)))
row(`groups of more than ${CYCLE_FILES_MAX} files that import each other`, bigCycles().length)
row('… files in the largest group', cycles[0]?.length ?? 0)
printTypes()
for (const { name, files: count, functions } of filesRun())
  row(`files / functions that ${name} runs through`, `${count} / ${functions}`)
console.log('\nroom                  files  lines  vague words')
for (const [room, own] of [...rooms].sort()) {
  const vague = `${(vagueShare(own) * 100).toFixed(1)} %`
  const lines = String(sum(own.map(linesOf)))
  console.log(
    `${room.padEnd(21)} ${String(own.length).padStart(5)}  ${lines.padStart(5)}  ${vague}`,
  )
}

function sources(): readonly SourceText[] {
  return readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !isTestPath(file) && !file.startsWith('testing/'))
    .sort()
    .map((file) => {
      const text = readFileSync(path.join(root, 'src', file), 'utf8')
      return { path: `src/${file}`, text }
    })
}

function bigCycles(): typeof cycles {
  return cycles.filter(({ length }) => length > CYCLE_FILES_MAX)
}

function folderOf(file: string): string {
  return file.split('/').length > 2 ? (file.split('/')[1] ?? 'src') : 'src'
}

function linesOf({ text }: SourceText): number {
  return text.trimEnd().split('\n').length
}

function functionLines(file: SourceText): readonly number[] {
  const parsed = parse(file)
  const lines: number[] = []
  walk(parsed, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return
    lines.push(lineAt(parsed, node.getEnd()) - lineAt(parsed, node.getStart()) + 1)
  })
  return lines
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

function counts(names: readonly string[]): readonly number[] {
  return [...grouped(names, (name) => name).values()].map(({ length }) => length)
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, readonly T[]> {
  const groups = new Map<string, readonly T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return `${at(0.5)} / ${at(0.9)} / ${at(1)}`
}

/** Figures that only the type checker knows: base classes, public members, kinds of store query. */
function printTypes(): void {
  const names = ['src/stack.ts', 'src/stack/stack.ts', 'src/ports/store.ts']
  const paths = names.map((name) => path.join(root, name))
  const config = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
  const program = ts.createProgram(paths.filter(ts.sys.fileExists), options)
  const checker = program.getTypeChecker()
  const exported = (name: string): ts.Type | undefined => {
    for (const file of program
      .getRootFileNames()
      .flatMap((at) => program.getSourceFile(at) ?? [])) {
      const of = checker.getSymbolAtLocation(file)
      const symbol = of && checker.getExportsOfModule(of).find((each) => each.name === name)
      if (symbol) return checker.getDeclaredTypeOfSymbol(symbol)
    }
    return undefined
  }
  const query = exported('ReadQuery')
  const kinds = query?.isUnion() ? query.types.map((each) => literalOf(checker, each)) : []
  row('kinds of store query', new Set(kinds).size)
  const stack = exported('Stack')
  if (!stack) return
  let chain = 0
  for (let [base] = stack.getBaseTypes() ?? []; base; [base] = base.getBaseTypes() ?? []) chain += 1
  row('classes in the inheritance chain of Stack', chain)
  const members = publicMembers(stack)
  row('public members of Stack', members.length)
  for (const member of members) {
    const type = checker.getTypeOfSymbol(member)
    const isFacet = type.getCallSignatures().length === 0 && isOfEngine(type)
    if (isFacet) row(`… of its facet ${member.name}`, publicMembers(type).length)
  }
}

function literalOf(checker: ts.TypeChecker, type: ts.Type): string {
  const kind = type.getProperty('type')
  return kind ? checker.typeToString(checker.getTypeOfSymbol(kind)) : checker.typeToString(type)
}

function publicMembers(type: ts.Type): readonly ts.Symbol[] {
  return type.getProperties().filter(({ name }) => !name.includes('#'))
}

function isOfEngine(type: ts.Type): boolean {
  const at = (type.aliasSymbol ?? type.symbol)?.declarations?.[0]?.getSourceFile().fileName
  return at?.startsWith(path.join(root, 'src/engine')) ?? false
}

interface FilesRun {
  readonly name: string
  readonly files: number
  readonly functions: number
}

function filesRun(): readonly FilesRun[] {
  const script = path.join(ROOT, 'scripts/files-run.ts')
  const printed = execFileSync(process.execPath, [script, root, '--json'], { encoding: 'utf8' })
  return JSON.parse(printed) as readonly FilesRun[] // printed by our own script
}
