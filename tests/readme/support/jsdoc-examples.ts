import path from 'node:path'
import ts from 'typescript'
import { ROOT } from '../../support/project-files.ts'

/** A runnable sample of a doc comment. */
export interface Example {
  /** The export, or the member as `Stack.claims.ask`. */
  readonly name: string
  readonly code: string | null
}

const ENTRY = path.join(ROOT, 'src/index.ts')

/** Names that every sample may use, beside the exports of the library. */
const GIVEN = `declare const given: {
  stack: lib.Stack; me: lib.Entity; folder: string; note: lib.Ref; belief: lib.Ref
  goal: lib.Ref; claim: lib.Ref; relationship: lib.Ref; playbook: lib.Ref
}`

const options = (): ts.CompilerOptions => {
  const file = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  return ts.parseJsonConfigFileContent(file.config, ts.sys, ROOT).options
}

/** Every exported value, and every method of an entity and of the facets of a stack. */
export function examples(): readonly Example[] {
  const program = ts.createProgram([ENTRY], options())
  const checker = program.getTypeChecker()
  const entry = program.getSourceFile(ENTRY)
  const module = entry && checker.getSymbolAtLocation(entry)
  if (!module) throw new Error('the entry exports nothing')
  const exported = checker.getExportsOfModule(module).map((each) => ({
    name: each.name,
    symbol: each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each,
  }))
  const named = (name: string): ts.Type => {
    const symbol = exported.find((each) => each.name === name)?.symbol
    if (!symbol) throw new Error(`there is no ${name}`)
    return checker.getDeclaredTypeOfSymbol(symbol)
  }
  return [
    ...exported
      .filter(({ symbol }) => symbol.flags & ts.SymbolFlags.Value)
      .map(({ name, symbol }) => exampleOf(name, symbol, checker)),
    ...methodsOf('Entity', named('Entity'), checker),
    ...checker
      .getPropertiesOfType(named('Stack'))
      .filter(({ valueDeclaration: of }) => of !== undefined && isPublic(of))
      .map((member) => ({ name: `Stack.${member.name}`, type: checker.getTypeOfSymbol(member) }))
      .filter(({ type }) => isFacet(type))
      .flatMap(({ name, type }) => methodsOf(name, type, checker)),
  ]
}

/** Exports without a sentence that says what they are. */
export function undescribed(): readonly string[] {
  const program = ts.createProgram([ENTRY], options())
  const checker = program.getTypeChecker()
  const entry = program.getSourceFile(ENTRY)
  const module = entry && checker.getSymbolAtLocation(entry)
  return (module ? checker.getExportsOfModule(module) : [])
    .map((each) => (each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each))
    .filter((symbol) => symbol.getDocumentationComment(checker).length === 0)
    .map(({ name }) => name)
}

function isFacet({ symbol }: ts.Type): boolean {
  const declared = symbol?.valueDeclaration
  return (
    declared !== undefined &&
    ts.isClassDeclaration(declared) &&
    declared.getSourceFile().fileName.includes('/src/engine/')
  )
}

const methodsOf = (name: string, type: ts.Type, checker: ts.TypeChecker): readonly Example[] =>
  checker
    .getPropertiesOfType(type)
    .filter((member) => member.flags & ts.SymbolFlags.Method)
    .filter((member) => !member.getJsDocTags().some((tag) => tag.name === 'internal'))
    .filter(({ valueDeclaration: of }) => of !== undefined && isPublic(of))
    .map((member) => exampleOf(`${name}.${member.name}`, member, checker))

const HIDDEN = ts.ModifierFlags.Private | ts.ModifierFlags.Protected

function isPublic(of: ts.Declaration): boolean {
  const { name } = of as ts.NamedDeclaration // members have names
  return (ts.getCombinedModifierFlags(of) & HIDDEN) === 0 && !(name && ts.isPrivateIdentifier(name))
}

function exampleOf(name: string, symbol: ts.Symbol, checker: ts.TypeChecker): Example {
  const tag = symbol.getJsDocTags(checker).find((each) => each.name === 'example')
  return { name, code: tag ? ts.displayPartsToString(tag.text) : null }
}

const NAMES = 'stack, me, folder, note, belief, goal, claim, relationship, playbook'

/** Complaints of the compiler about the samples, each with its export. */
export function typeErrors(all: readonly Example[]): readonly string[] {
  const file = path.join(ROOT, 'tests/readme/support/samples-in-memory.ts')
  const parts = all.map(({ code }) => bodyOf(code ?? ''))
  const uses = new Set(parts.flatMap((part) => part.match(/\b[A-Za-z]\w*/g) ?? []))
  const text = [
    "import type * as lib from '../../../src/index.ts'",
    `import type { Dump } from '../../../src/index.ts'`,
    `import { ${exportedValues()
      .filter((name) => uses.has(name))
      .join(', ')} } from '../../../src/index.ts'`,
    GIVEN,
    ...parts.map((part, at) => `export async function sample${at}() {${OPEN}${part}\n}`),
  ].join('\n')
  const host = ts.createCompilerHost(options())
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.Latest) : read(name, ...rest)
  const checked = { ...options(), noUnusedLocals: false, noUnusedParameters: false }
  const program = ts.createProgram([file], checked, host)
  const source = program.getSourceFile(file)
  return ts.getPreEmitDiagnostics(program, source).map(({ start = 0, messageText }) => {
    const at = [...text.slice(0, start).matchAll(/function sample(\d+)/g)].at(-1)?.[1] ?? '-1'
    return `${all[Number(at)]?.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}

const OPEN = ` let { ${NAMES} } = given; {\n`
const bodyOf = (code: string): string => `${code}\n}`

/** The sample as an async function body without types, run on what is given. */
export function runnable(
  code: string,
): (names: Readonly<Record<string, unknown>>) => Promise<void> {
  const { outputText } = ts.transpileModule(`async function sample() {\n${code}\n}`, {
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  })
  return (names) =>
    new Function(...Object.keys(names), `${outputText}\nreturn sample()`)(...Object.values(names))
}

let values: readonly string[] | undefined
export function exportedValues(): readonly string[] {
  values ??= examples()
    .map(({ name }) => name)
    .filter((name) => !name.includes('.') && name !== 'Stack')
  return values
}
