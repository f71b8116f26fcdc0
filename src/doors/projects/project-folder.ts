import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { Binding } from './registry.ts'

/** The folder without symbolic links; a missing folder keeps its spelling. */
export function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    return path.resolve(folder)
  }
}

/** The nearest binding at or above a folder. */
export function bindingFor(bindings: readonly Binding[], folder: string): Binding | null {
  if (bindings.length === 0) return null
  const byPath = new Map(bindings.map((binding) => [binding.path, binding]))
  for (const each of projectFolders(realFolder(folder))) {
    const found = byPath.get(each)
    if (found) return found
  }
  return null
}

/**
 * Folders whose binding holds for this folder, nearest first. A git repository is a project of its
 * own: the walk ends at its root. A linked worktree goes on in the main repository.
 */
function* projectFolders(start: string): Generator<string, void, undefined> {
  for (let at = start; ; at = path.dirname(at)) {
    yield at
    if (existsSync(path.join(at, '.git'))) {
      const main = mainRepositoryOf(at)
      if (main !== null) yield* projectFolders(path.join(main, path.relative(at, start)))
      return
    }
    if (path.dirname(at) === at) return
  }
}

/**
 * The main repository of a linked worktree; null for anything else. The folder names the
 * repository, and a file inside that repository must name the folder: a copied `.git` file alone
 * proves nothing.
 */
function mainRepositoryOf(root: string): string | null {
  const link = path.join(root, '.git')
  try {
    if (!lstatSync(link).isFile()) return null
    const [, named = ''] = /^gitdir: (.+)$/m.exec(readFileSync(link, 'utf8')) ?? []
    const entry = realpathSync.native(path.resolve(root, named)) // <main>/.git/worktrees/<name>
    const worktrees = path.dirname(entry)
    const git = path.dirname(worktrees)
    if (path.basename(worktrees) !== 'worktrees' || path.basename(git) !== '.git') return null
    const back = readFileSync(path.join(entry, 'gitdir'), 'utf8').trim()
    const isNamed = realpathSync.native(path.resolve(entry, back)) === realpathSync.native(link)
    return isNamed ? path.dirname(git) : null
  } catch {
    return null // git would not accept the worktree
  }
}
