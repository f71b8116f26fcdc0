import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire, enableCompileCache, flushCompileCache } from 'node:module'
import path from 'node:path'
import { userFolder } from '../../compose/usual-home.ts'
import type * as Program from './main.ts'

// Stands for `main.ts` in the built program. Compiling functions takes much of a start, so Node keeps the compiled code.

/** Frequent commands get a cache each: Node keeps the functions that its first call compiled. */
const STARTED_OFTEN = 'hook mcp serve raw note claim ask search load list'.split(' ')

const OTHERS_WRITE = 0o022
const SETTLED_AFTER_MS = 10_000 // a long-running command has started by then, and may be stopped by a signal

const require = createRequire(import.meta.url)

/** Runs the program with the code compiled by earlier calls. */
export async function main(): Promise<number> {
  const folder = cacheFolder()
  if (folder !== null) {
    enableCompileCache(folder)
    setTimeout(flushCompileCache, SETTLED_AFTER_MS).unref()
  }
  const { main: begin } = require('./main.cjs') as typeof Program // made by the build
  return begin()
}

/** Null before a first write made the home, and wherever compiled code cannot be kept safely. */
function cacheFolder(): string | null {
  const [, , command = '-'] = process.argv
  const home = homeFolder()
  if (command.startsWith('-') || home === null || !existsSync(path.join(home, 'stacks')))
    return null
  const cache = path.join(home, 'cache')
  const folder = path.join(cache, STARTED_OFTEN.includes(command) ? command : 'command')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return [home, cache, folder].every(isOurs) ? versionIn(folder) : null
  } catch {
    return null // a read-only folder keeps nothing
  }
}

/** The folder of this version; the first call of a version removes what others left. */
function versionIn(folder: string): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string } // the package's own manifest
  const own = path.join(folder, version)
  if (!existsSync(own)) {
    for (const other of readdirSync(folder)) {
      rmSync(path.join(folder, other), { recursive: true, force: true })
    }
    mkdirSync(own, { mode: 0o700 })
  }
  return own
}

/**
 * Null where the environment names none: nothing is cached, and commands that need a home fail with
 * a message.
 */
function homeFolder(): string | null {
  if (process.env.MUNIMENT_HOME) return path.resolve(process.env.MUNIMENT_HOME)
  const folder = userFolder()
  return folder && path.join(folder, '.muniment')
}

/** Code that others may write is never run; Windows has no modes. */
function isOurs(folder: string): boolean {
  if (!process.getuid) return true
  const { uid, mode } = statSync(folder)
  return uid === process.getuid() && (mode & OTHERS_WRITE) === 0
}
