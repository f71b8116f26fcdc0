import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { COMPILED } from '../support/compiled.ts'
import { scratch } from './support/scratch.ts'

const BIN = fileURLToPath(new URL('../../src/doors/cli/bin.ts', import.meta.url))
const NOBODY = 61_234 // a user that the system has no line about

interface Calling {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** Runs as a user whom the system does not know; only root may. */
  readonly isUnknown?: boolean
}

function call(args: readonly string[], { cwd, env = {}, isUnknown = false }: Calling) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [BIN, ...args], {
    cwd,
    env: { ...COMPILED, PATH: process.env.PATH, ...env },
    encoding: 'utf8',
    ...(isUnknown ? { uid: NOBODY, gid: NOBODY } : {}),
  })
  if (error) throw error
  return { code: status, out: stdout, err: stderr }
}

const isRoot = process.getuid?.() === 0

describe.skipIf(process.platform === 'win32')('where nobody says which the own folder is', () => {
  test.each(['', 'here'])('a home is not made wherever one happens to be: HOME=“%s”', (HOME) => {
    const cwd = scratch()
    const said = call(['note', 'Hm'], { cwd, env: { HOME } })
    expect(said.code).toBe(5)
    expect(said.err).toContain(`it is “${HOME}”`)
    expect(said.err).toContain('MUNIMENT_HOME')
    expect(readdirSync(cwd)).toEqual([])
    const home = path.join(cwd, 'kept')
    expect(call(['note', 'Hm', '--home', home], { cwd, env: { HOME } }).code).toBe(0)
  })

  // A process that is no root's cannot become another user.
  test.skipIf(!isRoot)('what needs no home works, and what does says what to give it', () => {
    const cwd = '/'
    const as = { cwd, isUnknown: true }
    expect(call(['--version'], as).code).toBe(0)
    expect(call(['help'], as).code).toBe(0)
    expect(call(['note', '--help'], as).code).toBe(0)
    const said = call(['list'], as)
    expect(said.code).toBe(5)
    expect(said.err).toContain('--home <dir>')
    expect(call(['setup', 'claude-code', '--dry-run'], as)).toMatchObject({ code: 5 })
    const home = scratch()
    chownSync(home, NOBODY, NOBODY)
    const named = call(['list', '--home', home], as)
    expect(named.code).toBe(3)
    expect(named.err).toContain(`muniment init --home ${home}`)
    const told = call(['list'], { ...as, env: { MUNIMENT_HOME: home } })
    expect(told.code).toBe(3)
    expect(told.err).toContain('muniment init, or write something first')
  })
})

describe.skipIf(process.platform === 'win32')('called in a folder that was deleted', () => {
  const script = (args: string): string => `mkdir gone && cd gone && rmdir ../gone && ${args}`

  test('what names its home works', () => {
    const cwd = scratch()
    const home = path.join(cwd, 'home')
    mkdirSync(home)
    for (const args of ['--version', `note Hm --home ${home}`, `list --home ${home}`]) {
      const line = script(`"${process.execPath}" "${BIN}" ${args}`)
      const { status, stderr } = spawnSync('sh', ['-c', line], {
        cwd,
        env: { ...COMPILED, PATH: process.env.PATH },
        encoding: 'utf8',
      })
      expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: '' })
    }
    expect(existsSync(path.join(cwd, 'gone'))).toBe(false)
    rmSync(home, { recursive: true })
  })
})
