import { linkSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * A file that only its owner reads, under a name that nobody has yet: a link appears whole or not at
 * all, and never replaces what another process made. False where that one was first.
 */
export function linkWhole(path: string, text: string | Buffer): boolean {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `.${basename(path)}.${process.pid}`)
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
    return true
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false
    throw cause
  } finally {
    unlinkSync(draft)
  }
}
