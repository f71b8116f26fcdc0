import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** This program as the client will start it. */
export interface Running {
  /** Where programs are looked for. */
  readonly searchPath: string
  readonly node: string
  readonly script: string
}

/** By its name where that is found, so that an update is followed; otherwise by where it lies. */
export function launcherFor({ searchPath, node, script }: Running): {
  readonly command: string
  readonly args: readonly string[]
} {
  const isInstalled = searchPath
    .split(path.delimiter)
    .filter((folder) => folder !== '' && !isOfOneRun(folder))
    .some((folder) => isProgram(path.join(folder, 'muniment')))
  return isInstalled ? { command: 'muniment', args: [] } : { command: node, args: [script] }
}

/** npx and npm scripts put folders on the path that the client will not have. */
const isOfOneRun = (folder: string): boolean => /node_modules|[\\/]_npx[\\/]/.test(folder)

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
