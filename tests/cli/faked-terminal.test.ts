import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { BIN } from '../http/support/program.ts'
import { COMPILED } from '../support/compiled.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

const HAS_SCRIPT = process.platform === 'linux' && existsSync('/usr/bin/script')

/** Runs the program in a terminal that no person sits at. */
function inFakedTerminal(home: string, args: string): string {
  const line = `${process.execPath} ${BIN} ${args} --home ${home}`
  const { stdout } = spawnSync('/usr/bin/script', ['-qec', line, '/dev/null'], {
    env: { ...COMPILED, PATH: process.env.PATH, NO_COLOR: '1' },
    encoding: 'utf8',
    timeout: 60_000,
  })
  return stdout
}

/** The line of `doctor` about personal tokens. */
async function toldBy(desk: Desk): Promise<string | undefined> {
  const { checks } = (await desk.call(['doctor', '--json'])).json() as {
    checks: readonly { readonly name: string; readonly detail: string }[]
  }
  return checks.find(({ name }) => name === 'personal tokens')?.detail
}

describe('a personal token that was made', () => {
  test('is told by doctor with its time and terminal, also after it was revoked', async () => {
    const desk = new Desk(scratch())
    expect(await toldBy(desk)).toBeUndefined()
    await desk.person(['trust', 'token', 'create', 'laptop'])
    await desk.person(['trust', 'token', 'create', 'phone'])
    await desk.person([
      'trust',
      'token',
      'create',
      'agent',
      '--labels',
      'ModelDerived',
      '--tier',
      '1',
    ])
    desk.later(5 * 60_000)
    expect(await toldBy(desk)).toMatch(/^2, last made 5 min ago from terminal pts\/3;/)
    await desk.call(['trust', 'token', 'revoke', 'laptop'])
    await desk.call(['trust', 'token', 'revoke', 'phone'])
    expect(await toldBy(desk)).toMatch(/^0, last made 5 min ago from terminal pts\/3;/)
  })

  test('has a line in a log that only its owner reads, without the token', async () => {
    const desk = new Desk(scratch())
    const made = (await desk.person(['trust', 'token', 'create', 'laptop', '--json'])).json()
    const { token, id } = made as { token: string; id: string }
    const file = path.join(desk.home, 'token-log.jsonl')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const text = readFileSync(file, 'utf8')
    expect(JSON.parse(text)).toMatchObject({
      id,
      name: 'laptop',
      personal: true,
      terminal: 'pts/3',
    })
    expect(text).not.toContain(token)
  })

  test('is taken back where the log takes no line', async () => {
    const desk = new Desk(scratch())
    mkdirSync(path.join(desk.home, 'token-log.jsonl')) // a folder, where the log should be
    const refused = await desk.person(['trust', 'token', 'create', 'laptop'])
    expect(refused.code).not.toBe(0)
    expect(refused.err).toContain('No token was made')
    expect((await desk.call(['trust', 'token', 'list', '--json'])).json()).toEqual([])
  })

  test.skipIf(!HAS_SCRIPT)('in a faked terminal is told by doctor, too', async () => {
    // Needs the program `script` of Linux, which opens a terminal for another program.
    const home = scratch()
    expect(inFakedTerminal(home, 'trust token create stolen')).toContain('mun_')
    expect(await toldBy(new Desk(home))).toMatch(/^1, last made .+ from terminal pts\/\d+;/)
  })
})
