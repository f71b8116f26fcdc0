import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { dataFolder } from '../support/data.ts'
import { ROOT } from '../support/project-files.ts'

const TIMEOUT_MS = 600_000 // two servers of PostgreSQL and a dozen programs, on a busy machine

const run = promisify(execFile)

async function bench(...args: readonly string[]) {
  const { PATH } = process.env
  const data = dataFolder()
  const env = { PATH, ...(data === undefined ? {} : { MUNIMENT_DATA: data }) }
  return run(process.execPath, ['bench/run.ts', ...args], {
    cwd: ROOT,
    env: env as NodeJS.ProcessEnv,
    maxBuffer: 10_000_000,
  })
}

/** Names behind `part` in the usage of the bench. */
async function partNames(): Promise<readonly string[]> {
  const { stdout } = await bench('--tiny', '--help')
  return /^ {2}part +(.*);/m.exec(stdout)?.[1]?.split(', ') ?? []
}

test(
  'every part of the bench runs to its end at a tiny size, or says why it is left out',
  async () => {
    const names = await partNames()
    expect(names).toContain('writes')
    const { stdout, stderr } = await bench('--tiny', '--json')
    const figures = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { part: string; name: string; value: number | null })
    const taken = new Set(figures.map(({ part }) => part))
    const leftOut = [...stderr.matchAll(/^(\w+): left out; \S+/gm)].map(([, part]) => part)
    const needsOutside = new Set(['recall', 'echo', 'firewall', 'explorer'])
    expect(names.filter((name) => !taken.has(name) && !leftOut.includes(name))).toEqual([])
    expect(leftOut.filter((name) => !needsOutside.has(name ?? ''))).toEqual([])
  },
  TIMEOUT_MS,
)
