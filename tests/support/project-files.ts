import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SourceText } from './source.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export const readProjectFile = (relative: string): string =>
  readFileSync(path.join(ROOT, relative), 'utf8')

/** Every file of the project that git would keep, with its text. */
export function projectFiles(): readonly SourceText[] {
  const ignored = ignoredBy(readProjectFile('.gitignore'))
  const paths: string[] = []
  const enter = (folder: string): void => {
    for (const entry of readdirSync(path.join(ROOT, folder), { withFileTypes: true })) {
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.name === '.git' || ignored(entry.name, entry.isDirectory())) continue
      if (entry.isDirectory()) enter(relative)
      else if (entry.isFile()) paths.push(relative)
    }
  }
  enter('')
  return paths.sort().map((relative) => ({ path: relative, text: readProjectFile(relative) }))
}

/**
 * Reads the two forms that our .gitignore uses, `name/` and `*.suffix` or a plain name, and stops
 * at any other: a pattern read wrongly would hide files from every check.
 */
export function ignoredBy(gitignore: string): (name: string, isFolder: boolean) => boolean {
  const patterns = gitignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const tests = patterns.map((pattern) => {
    const [, star, name, slash] = /^(\*?)([\w.-]+)(\/?)$/.exec(pattern) ?? []
    if (name === undefined) throw new Error(`.gitignore: cannot read the pattern ${pattern}`)
    return (entry: string, isFolder: boolean): boolean =>
      (slash === '' || isFolder) && (star === '*' ? entry.endsWith(name) : entry === name)
  })
  return (name, isFolder) => tests.some((test) => test(name, isFolder))
}
