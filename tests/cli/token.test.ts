import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { holds } from '../support/holds.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

async function withToken(): Promise<{ desk: Desk; token: string; file: string }> {
  const desk = new Desk(scratch())
  const said = await desk.person(['trust', 'token', 'create', 'laptop', '--json'])
  const { token } = said.json() as { token: string }
  return { desk, token, file: path.join(desk.home, 'tokens.json') }
}

describe('personal tokens', () => {
  test('a token is shown once; only its SHA-256 is kept, for nobody else to read', async () => {
    const { desk, token, file } = await withToken()
    expect(token).toMatch(/^mun_[\w-]{43}$/)
    expect(readFileSync(file, 'utf8')).not.toContain(token)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const listed = await desk.person(['trust', 'token', 'list', '--json'])
    expect(listed.json()).toEqual([
      {
        id: expect.any(String),
        name: 'laptop',
        createdAt: expect.any(String),
        stacks: null,
        labels: ['UserAsserted', 'ModelDerived', 'RecallReEntry'],
        tier: 3,
        use: null,
        expiresAt: null,
      },
    ])
    expect((await desk.person(['trust', 'token'])).out).toContain('laptop')
  })

  test('with it a call without a terminal is a person’s', async () => {
    const { desk, token } = await withToken()
    const by = async (options: { readonly env?: Record<string, string> }, ...more: string[]) =>
      (await desk.call(['note', `said ${more.length}`, '--json', ...more], options)).json()
    expect(await by({ env: { MUNIMENT_TOKEN: token } })).toMatchObject({ tier: 3 })
    expect(await by({}, '--token', token)).toMatchObject({
      tier: 3,
      labelBecause: 'a personal token was shown',
    })
    expect(
      await by({ env: { CLAUDECODE: '1', MUNIMENT_TOKEN: token } }, '--tag', 'x'),
    ).toMatchObject({
      labelBecause: 'a personal token was shown',
    })
  })

  test('revoked, it is refused like any other that is not ours', async () => {
    const { desk, token } = await withToken()
    expect((await desk.call(['trust', 'token', 'revoke', 'laptop'])).code).toBe(0)
    const said = await desk.call(['note', 'too late', '--token', token])
    expect(said).toMatchObject({ code: 1, out: '' })
    expect(said.err).toContain('not one of this home')
    expect((await desk.call(['trust', 'token', 'revoke', 'laptop'])).code).toBe(3)
  })

  test('a name is taken once, and must be one', async () => {
    const { desk } = await withToken()
    expect((await desk.person(['trust', 'token', 'create', 'laptop'])).code).toBe(1)
    expect((await desk.person(['trust', 'token', 'create', 'a b'])).code).toBe(2)
    expect((await desk.person(['trust', 'token', 'revoke'])).code).toBe(2)
  })

  test('a file that others can write is not trusted, one that is broken is said to be', async () => {
    const { desk, token, file } = await withToken()
    chmodSync(file, 0o666)
    const open = await desk.call(['note', 'x', '--token', token])
    expect(open).toMatchObject({ code: 1 })
    expect(open.err).toContain('chmod 600')
    chmodSync(file, 0o600)
    writeFileSync(file, '{"tokens":[{}]}')
    expect((await desk.call(['note', 'x', '--token', token])).code).toBe(5)
  })
})

holds(
  'PROV-DOOR',
  'a token is made in a person’s terminal only, never by a program or by a token',
  async () => {
    const { desk, token } = await withToken()
    const refused = [
      await desk.call(['trust', 'token', 'create', 'two']),
      await desk.call(['trust', 'token', 'create', 'two'], { env: { MUNIMENT_TOKEN: token } }),
      await desk.person(['trust', 'token', 'create', 'two'], { env: { CLAUDECODE: '1' } }),
    ]
    for (const said of refused) {
      expect(said).toMatchObject({ code: 1, out: '' })
      expect(said.err).toContain('terminal')
    }
    expect((await desk.person(['trust', 'token', 'create', 'two'])).code).toBe(0)
  },
)
