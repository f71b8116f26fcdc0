import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of the test's own, gone when it ends. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const ownPath = (): string => join(ownFolder(), 'demo.db')
