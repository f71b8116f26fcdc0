import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import type { TestProject } from 'vitest/node'
import { type Made, makeStack } from './make-stack.ts'

const MEMORIES = 10_000

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the explorer was built. */
    readonly site: string
    /** A stack of many memories; each file of tests works on a copy. */
    readonly made: Made
    /** The same story by itself, for what takes the longer the larger a stack is. */
    readonly small: Made
  }
}

/** The explorer as it is published, and a real stack: made once for all tests of this folder. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'muniment-explorer-'))
  const site = path.join(folder, 'site')
  await build({
    configFile: fileURLToPath(new URL('../../../explorer/vite.config.ts', import.meta.url)),
    build: { outDir: site },
    logLevel: 'warn',
  })
  const made = await makeStack(path.join(folder, 'home'), 'demo', MEMORIES)
  project.provide('site', site)
  project.provide('made', made)
  project.provide('small', await makeStack(made.home, 'small', 0))
  return () => rmSync(folder, { recursive: true, force: true })
}
