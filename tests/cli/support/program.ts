import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { COMPILED } from '../../support/compiled.ts'

const BIN = fileURLToPath(new URL('../../../src/doors/cli/bin.ts', import.meta.url))

const TIMEOUT_MS = 15_000

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface ProgramOptions {
  readonly home: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** The folder it is called in; the folder of the tests unless given. */
  readonly folder?: string
  /** Options of Node itself. */
  readonly node?: readonly string[]
}

/** The real program in a process of its own, with nothing in its environment that we did not put there. */
export function muniment(args: readonly string[], options: ProgramOptions): Ran {
  const { home, env = {}, stdin = '', folder, node = [] } = options
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [...node, BIN, ...args], {
    env: { ...COMPILED, PATH: process.env.PATH, MUNIMENT_HOME: home, ...env },
    input: stdin,
    ...(folder === undefined ? {} : { cwd: folder, timeout: TIMEOUT_MS }),
    encoding: 'utf8',
  })
  if (error) throw error
  return { code: status, out: stdout, err: stderr }
}
