import path from 'node:path'
import ts from 'typescript'
import { ROOT } from '../../support/project-files.ts'

/** Every member that a user of a class can call or read, as `name(parameters)`, `name` or `facet.name(…)`. */
export function publicMembers(file: string, name: string): readonly string[] {
  const at = path.join(ROOT, file)
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    ROOT,
  )
  const program = ts.createProgram([at], options)
  const checker = program.getTypeChecker()
  const declared = program
    .getSourceFile(at)
    ?.statements.filter(ts.isClassDeclaration)
    .find((each) => each.name?.text === name)
  if (!declared) throw new Error(`${file} has no class ${name}`)
  return checker
    .getPropertiesOfType(checker.getTypeAtLocation(declared))
    .filter(({ declarations: [first] = [] }) => first !== undefined && isPublic(first))
    .flatMap((member) => {
      const facet = facetOf(member, checker)
      if (facet === null) return [shown(member, checker)]
      return checker
        .getPropertiesOfType(facet)
        .filter(({ declarations: [first] = [] }) => first !== undefined && isPublic(first))
        .map((each) => `${member.name}.${shown(each, checker)}`)
    })
}

/** A member whose type is a class of the engine groups further members. */
function facetOf(member: ts.Symbol, checker: ts.TypeChecker): ts.Type | null {
  const type = checker.getTypeOfSymbol(member)
  const declared = type.symbol?.valueDeclaration
  const isFacet =
    declared !== undefined &&
    ts.isClassDeclaration(declared) &&
    declared.getSourceFile().fileName.includes('/src/engine/')
  return isFacet ? type : null
}

function isPublic(declaration: ts.Declaration): boolean {
  const { name } = declaration as ts.NamedDeclaration // members have names
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
  return (
    name !== undefined &&
    !ts.isPrivateIdentifier(name) &&
    (ts.getCombinedModifierFlags(declaration) & hidden) === 0 &&
    !ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === 'internal')
  )
}

function shown(member: ts.Symbol, checker: ts.TypeChecker): string {
  const [signature] = checker.getTypeOfSymbol(member).getCallSignatures()
  if (!signature) return member.name
  const names = signature.parameters.map(({ name, valueDeclaration }) => {
    const may = valueDeclaration as ts.ParameterDeclaration | undefined // parameters are declared so
    return may?.questionToken || may?.initializer ? `${name}?` : name
  })
  return `${member.name}(${names.join(', ')})`
}
