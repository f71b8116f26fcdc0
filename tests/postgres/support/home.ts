import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const made: string[] = []

/** Keys of stacks in a database lie in the home folder: each history has one of its own. */
export function ownHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'muniment-home-'))
  made.push(home)
  process.env.MUNIMENT_HOME = home
  return home
}

afterAll(() => {
  for (const home of made) rmSync(home, { recursive: true, force: true })
})
