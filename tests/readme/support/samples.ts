import { readdirSync } from 'node:fs'
import path from 'node:path'
import { ROOT, readProjectFile } from '../../support/project-files.ts'

export interface Sample {
  readonly page: string
  readonly line: number
  readonly code: string
}

/** Every page that a reader opens, as a path from the root of the project. */
export const PAGES: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(path.join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** The fenced blocks of a page in a language. */
export function samplesOf(page: string, language: string): readonly Sample[] {
  const text = readProjectFile(page)
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  return [...text.matchAll(fence)].map(({ index, 1: code = '' }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    code,
  }))
}
