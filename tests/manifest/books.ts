import { projectFiles } from '../support/project-files.ts'
import { type Books, problemsOf, type Standing, standings } from './check.ts'
import { scanCitations } from './citations.ts'
import { documents } from './documents.ts'
import { MANIFEST } from './manifest.ts'
import { FINISHED, HELD_EARLY } from './progress.ts'

export interface ProjectBooks {
  readonly all: readonly Standing[]
  readonly problems: readonly string[]
  readonly pages: ReadonlyMap<string, string>
}

/** The manifest set against the tests as they are on disk. */
export function projectBooks(): ProjectBooks {
  const scan = scanCitations(projectFiles())
  const books: Books = {
    manifest: MANIFEST,
    citations: scan.citations,
    finished: FINISHED,
    heldEarly: HELD_EARLY,
  }
  const all = standings(books)
  return { all, problems: [...scan.problems, ...problemsOf(books)], pages: documents(all) }
}
