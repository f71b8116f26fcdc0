import { importsOf, resolveRelative } from '../support/imports.ts'
import { isTestPath, type SourceText } from '../support/source.ts'
import type { Finding } from './finding.ts'

export const CYCLE_FILES_MAX = 3

type Graph = ReadonlyMap<string, readonly string[]>

/** Groups of files that import each other, by value or by type, beyond the limit. */
export function checkCycles(
  files: readonly SourceText[],
  filesMax = CYCLE_FILES_MAX,
): readonly Finding[] {
  return cyclesOf(files)
    .filter((cycle) => cycle.length > filesMax)
    .map((cycle) => ({
      path: cycle[0] ?? '',
      line: 1,
      message: `${cycle.length} files import each other: ${cycle.join(', ')}`,
    }))
}

/** Every group of two or more files of src that import each other, largest first. */
export function cyclesOf(files: readonly SourceText[]): readonly (readonly string[])[] {
  const graph = graphOf(files.filter(({ path }) => path.startsWith('src/') && !isTestPath(path)))
  return componentsOf(graph)
    .filter((component) => component.length > 1)
    .map((component) => component.toSorted())
    .toSorted((a, b) => b.length - a.length)
}

function graphOf(files: readonly SourceText[]): Graph {
  const known = new Set(files.map(({ path }) => path))
  return new Map(
    files.map((file) => [
      file.path,
      importsOf(file)
        .flatMap(({ specifier }) => specifier ?? [])
        .flatMap((specifier) => resolveRelative(file.path, specifier) ?? [])
        .filter((target) => known.has(target) && target !== file.path),
    ]),
  )
}

/** Tarjan's strongly connected components. */
function componentsOf(graph: Graph): readonly (readonly string[])[] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const open = new Set<string>()
  const components: string[][] = []
  const visit = (file: string): void => {
    const own = order.size
    order.set(file, own)
    low.set(file, own)
    stack.push(file)
    open.add(file)
    for (const target of graph.get(file) ?? []) {
      if (!order.has(target)) visit(target)
      if (open.has(target)) low.set(file, Math.min(low.get(file) ?? own, low.get(target) ?? own))
    }
    if (low.get(file) !== own) return
    const component = stack.splice(stack.indexOf(file))
    for (const each of component) open.delete(each)
    components.push(component)
  }
  for (const file of graph.keys()) visit(file)
  return components
}
