import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ROOT } from '../../support/project-files.ts'

const SOURCE = new URL('../../adapters/support/source-exports.mjs', import.meta.url).href

/** Runs a program as a reader does who copied it into a folder with the packages installed. */
export function runSample(code: string, env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'muniment-sample-'))
  try {
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
    const file = path.join(folder, 'sample.ts')
    writeFileSync(file, code)
    return spawnSync(process.execPath, ['--import', SOURCE, file], {
      cwd: folder,
      env: { ...process.env, MUNIMENT_HOME: folder, NODE_OPTIONS: '', ...env },
      encoding: 'utf8',
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The comment behind each `console.log` is the line that the call prints. */
export const promised = (code: string): readonly string[] =>
  [...code.matchAll(/console\.log\(.*\) \/\/ (.+)$/gm)].map(([, text = '']) => text)
