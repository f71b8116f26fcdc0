import type { Citation } from './citations.ts'
import type { Requirement } from './manifest.ts'

export interface Books {
  readonly manifest: readonly Requirement[]
  readonly citations: readonly Citation[]
  /** Issues that are done. */
  readonly finished: readonly string[]
  /** Ids held before their issue is done. */
  readonly heldEarly: readonly string[]
}

export interface Standing extends Requirement {
  readonly status: 'held' | 'pending'
  /** The test files that cite it, each once, in order. */
  readonly heldBy: readonly string[]
}

/** Each requirement with its status: held once its issue is done or it is held early. */
export function standings({ manifest, citations, finished, heldEarly }: Books): Standing[] {
  return manifest.map((entry) => {
    const counted = finished.includes(entry.due) || heldEarly.includes(entry.id)
    const paths = citations.filter(({ id }) => id === entry.id).map(({ path }) => path)
    return { ...entry, status: counted ? 'held' : 'pending', heldBy: [...new Set(paths)].sort() }
  })
}

/** What is wrong with the books, each with the edit that mends it. */
export function problemsOf(books: Books): string[] {
  const known = new Set(books.manifest.map(({ id }) => id))
  const unknown = books.citations
    .filter(({ id }) => !known.has(id))
    .map(({ id, path, line }) => `${path}:${line}: cites ${id}, which the manifest does not know`)
  const strays = books.heldEarly
    .filter((id) => !known.has(id))
    .map((id) => `HELD_EARLY names ${id}, which the manifest does not know`)
  const twice = [...known]
    .filter((id) => books.manifest.filter((entry) => entry.id === id).length > 1)
    .map((id) => `${id} is in the manifest more than once`)
  return [...unknown, ...strays, ...twice, ...standings(books).flatMap(problemOf)]
}

function problemOf({ id, due, status, heldBy }: Standing): string[] {
  if (status === 'held' && heldBy.length === 0)
    return [`${id} is said to hold, and no test cites it: write holds('${id}', …) (due: ${due})`]
  if (status === 'pending' && heldBy.length > 0)
    return [
      `${id} is pending until '${due}' is done, yet ${heldBy.join(', ')} holds it: ` +
        `add '${id}' to HELD_EARLY in tests/manifest/progress.ts`,
    ]
  return []
}
