import type { SourceText } from '../support/source.ts'
import type { Finding } from './finding.ts'

/** Text that names the machine something was written on, or the place it was fetched from. */
const PLACES: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/(?<![\w.~-])\/(?:work|root)\/[\w.-]/, 'a path of one machine'],
  [/(?<![\w.~-])\/(?:home|Users)\/[\w.-]+/, 'a path of one person'],
  [/\b[A-Za-z]:\\{1,2}Users\b/, 'a path of one person'],
  [/\bregistry\.(?:npmjs|yarnpkg|npmmirror)\b/, 'a package registry'],
  [/https?:\/\/[^\s"'`)]*\b(?:registry|verdaccio|artifactory|nexus)\b/i, 'a package registry'],
  [/^\s*(?:@[\w-]+:)?registry\s*=\s*["']?https?:/m, 'a package registry'],
  [/_auth(?:Token)?\s*=/, 'a credential'],
  [/"resolved": "[a-z+]+:/, 'the address a package was fetched from'],
]

export function checkPlaces(files: readonly SourceText[]): readonly Finding[] {
  return files.flatMap(({ path, text }) =>
    PLACES.flatMap(([pattern, what]) => {
      const index = text.search(pattern)
      if (index < 0) return []
      return [{ path, line: text.slice(0, index).split('\n').length, message: `names ${what}` }]
    }),
  )
}
