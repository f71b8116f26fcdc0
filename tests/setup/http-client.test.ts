import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ensureProgramToken } from '../../src/doors/access/program-token.ts'
import { Desk } from '../cli/support/fake-host.ts'
import { scratch } from '../cli/support/scratch.ts'

const URL_HERE = 'http://127.0.0.1:7077/mcp'
const settingsWith = (entry: object): string =>
  `${JSON.stringify({ mcpServers: { muniment: entry } }, null, 2)}\n`

/** A person whose Claude Code has a server `muniment`, in their own settings or in the project's. */
function ground(entry: object, scope: 'user' | 'project' = 'user') {
  const desk = new Desk(path.join(scratch(), 'muniment'))
  const [home, folder] = [scratch(), scratch()]
  mkdirSync(desk.home, { recursive: true })
  const file = path.join(
    scope === 'user' ? home : folder,
    scope === 'user' ? '.claude.json' : '.mcp.json',
  )
  const before = settingsWith(entry)
  writeFileSync(file, before, { mode: 0o600 })
  const setup = (...args: readonly string[]) =>
    desk.person(['setup', 'claude-code', '--scope', scope, ...args], {
      env: { HOME: home },
      folder,
    })
  return { desk, file, before, setup, read: () => readFileSync(file, 'utf8') }
}

test('a client that reaches the server over HTTP gets the token, and undo takes the token out', async () => {
  const { desk, before, setup, read } = ground({ type: 'http', url: URL_HERE })
  const without = await setup()
  expect(without.code).not.toBe(0)
  expect(without.err).toContain('Start muniment serve once')
  const token = await ensureProgramToken(desk.home, Date.now())
  const dry = await setup('--dry-run')
  expect(dry.out).toContain('Bearer mun_…')
  expect(dry.out).not.toContain(token)
  expect(read()).toBe(before)
  const done = await setup()
  expect(done.code, done.err).toBe(0)
  expect(done.out).not.toContain(token)
  const headers = { Authorization: `Bearer ${token}` }
  expect(JSON.parse(read())).toEqual({
    mcpServers: { muniment: { type: 'http', url: URL_HERE, headers } },
  })
  expect((await setup()).out).toContain('nothing to do')
  expect((await setup('--undo')).code).toBe(0)
  expect(read()).toBe(before)
})

test.each([
  'https://127.0.0.1:7077/mcp',
  'http://memory.example/mcp',
  'http://127.0.0.1:7077/other',
])('no token goes to %s', async (url) => {
  const { desk, before, setup, read } = ground({ type: 'http', url })
  await ensureProgramToken(desk.home, Date.now())
  const refused = await setup()
  expect(refused.err).toContain('not of our making')
  expect(read()).toBe(before)
})

test('no token is written into a project’s file, or into one that others can read', async () => {
  const project = ground({ type: 'http', url: URL_HERE }, 'project')
  await ensureProgramToken(project.desk.home, Date.now())
  expect((await project.setup()).err).toContain('not of our making')
  expect(project.read()).toBe(project.before)

  const open = ground({ type: 'http', url: URL_HERE })
  await ensureProgramToken(open.desk.home, Date.now())
  chmodSync(open.file, 0o644)
  expect((await open.setup()).err).toContain('chmod 600')
  expect(open.read()).toBe(open.before)
  chmodSync(open.file, 0o600)
  expect((await open.setup()).code).toBe(0)
})
