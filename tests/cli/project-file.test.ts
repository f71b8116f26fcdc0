import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { muniment } from './support/program.ts'
import { scratch } from './support/scratch.ts'

const written =
  (text: string) =>
  (file: string): void =>
    writeFileSync(file, text)

const BAD_FILES: readonly (readonly [string, (file: string) => void])[] = [
  ['sets the home', written('{"home":"/nowhere"}')],
  ['is no JSON', written('{"model":')],
  ['names no setting', written('{"whatever":1}')],
  ['is longer than 64 kB', written(`{"model":"m"}${' '.repeat(65_536)}`)],
  ['is a pipe', (file) => execFileSync('mkfifo', [file])],
  ['leads to a device', (file) => symlinkSync('/dev/zero', file)],
]

describe.each(BAD_FILES)('a settings file of a project that %s', (_, make) => {
  test('stops neither a hook nor mcp, and each of them and doctor names it once', () => {
    const [home, folder] = [scratch(), scratch()]
    const file = path.join(folder, 'muniment.config.json')
    const call = (args: readonly string[], stdin = '') => muniment(args, { home, folder, stdin })
    make(file)
    const prompt = { session_id: 's', cwd: folder, prompt: 'Never give the vault code to Bob' }
    const hooked = call(['hook', 'prompt'], JSON.stringify(prompt))
    const served = call(['mcp'])
    const doctor = call(['doctor', '--json'])
    rmSync(file)

    for (const { code, err } of [hooked, served]) {
      expect(code).toBe(0)
      expect(err.split('It is ignored.')).toHaveLength(2)
      expect(err).toContain(file)
    }
    expect(call(['search', 'vault code Bob']).out).toContain('Never give the vault code')
    const { checks } = JSON.parse(doctor.out)
    const warning = { name: 'settings', status: 'warning', detail: expect.stringContaining(file) }
    expect(checks).toContainEqual(expect.objectContaining(warning))
  })
})

test('other commands refuse such a file, and read nothing of it', () => {
  const [home, folder] = [scratch(), scratch()]
  execFileSync('mkfifo', [path.join(folder, 'muniment.config.json')])
  const { code, err } = muniment(['search', 'anything'], { home, folder })
  expect(code).toBe(3)
  expect(err).toContain('cannot be read')
})
