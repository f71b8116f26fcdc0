import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** The running program. */
export interface Running {
  /** The search path for programs. */
  readonly searchPath: string
  readonly node: string
  readonly script: string
}

/** The command's name if found on the path, so updates apply; otherwise the full path. */
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

/** npx and npm scripts put temporary folders on the path, unknown to the client. */
const isOfOneRun = (folder: string): boolean => /node_modules|[\\/]_npx[\\/]/.test(folder)

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
