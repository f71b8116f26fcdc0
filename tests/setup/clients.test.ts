import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import {
  CLIENT_NAMES,
  CLIENTS,
  type ClientName,
  type Places,
} from '../../src/doors/setup/clients.ts'
import { scratch } from '../cli/support/scratch.ts'
import { COMPILED } from '../support/compiled.ts'

vi.setConfig({ testTimeout: 120_000 }) // several processes in a row, on a busy machine

const BIN = fileURLToPath(new URL('../../src/doors/cli/bin.ts', import.meta.url))

function ground() {
  const home = realpathSync(scratch())
  const folder = realpathSync(scratch())
  const run = (...args: readonly string[]) => {
    const env = { ...COMPILED, HOME: home, PATH: '/nowhere' }
    const said = spawnSync(process.execPath, [BIN, ...args], { cwd: folder, env, encoding: 'utf8' })
    return { code: said.status, out: said.stdout, err: said.stderr }
  }
  const places: Places = { home, folder, platform: process.platform, appData: undefined }
  const fileOf = (name: ClientName): string => {
    const client = CLIENTS[name]
    return client.usual === 'user' ? client.user(places) : client.project(places)
  }
  return { home, folder, run, places, fileOf }
}

const BEFORE: Readonly<Record<ClientName, string>> = {
  'claude-code': '{\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n',
  'claude-desktop': '{"mcpServers":{"other":{"command":"x"}},"theme":"dark"}',
  cursor: '{\n\t"mcpServers": {}\n}\n',
  vscode:
    '{\n  "servers": { "other": { "type": "http", "url": "http://x" } },\n  "inputs": []\n}\n',
  windsurf: '{}\n',
  gemini:
    '{\n  "mcpServers": { "other": { "httpUrl": "http://x" } },\n  "ui": { "theme": "GitHub" }\n}\n',
  codex: '# mine\nmodel = "o9"\n\n[mcp_servers.other]\ncommand = "x"\n',
}

describe.each(CLIENT_NAMES)('%s', (name) => {
  test('is told of the server beside what is there, twice the same, and back byte for byte', () => {
    const { run, fileOf } = ground()
    const file = fileOf(name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, BEFORE[name])
    const dry = run('setup', name, '--dry-run')
    expect(dry, dry.err).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe(BEFORE[name])
    expect(run('setup', name).code).toBe(0)
    const after = readFileSync(file, 'utf8')
    expect(after).toContain('muniment')
    expect(after).toContain('bin.ts')
    if (BEFORE[name].includes('other')) expect(after).toContain('other')
    expect(readFileSync(`${file}.muniment-backup`, 'utf8')).toBe(BEFORE[name])
    const again = run('setup', name)
    expect(again.out).toContain('nothing to do')
    expect(readFileSync(file, 'utf8')).toBe(after)
    expect(run('doctor').out).toContain(`registered in ${file}`)
    expect(run('setup', name, '--undo').code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(BEFORE[name])
  })

  test('where it had no settings, has none again', () => {
    const { run, fileOf } = ground()
    const file = fileOf(name)
    expect(run('setup', name, '--stack', 'work').code).toBe(0)
    const isOfProject = CLIENTS[name].usual === 'project'
    const which = isOfProject
      ? /"--project",\s*"(?:\.|\$\{workspaceFolder\})"/
      : /"--stack",\s*"work"/
    expect(readFileSync(file, 'utf8')).toMatch(which)
    expect(run('stacks', '--json').out.includes('"id": "work"')).toBe(isOfProject)
    run('setup', name, '--undo')
    expect(existsSync(file)).toBe(false)
  })

  test('keeps a server of our name that is not ours, unless told otherwise', () => {
    const { run, fileOf } = ground()
    const file = fileOf(name)
    mkdirSync(path.dirname(file), { recursive: true })
    const theirs =
      name === 'codex'
        ? '[mcp_servers.muniment]\ncommand = "theirs"\n'
        : JSON.stringify({ [CLIENTS[name].member]: { muniment: { command: 'theirs' } } })
    writeFileSync(file, theirs)
    const said = run('setup', name)
    expect(said).toMatchObject({ code: 1 })
    expect(said.err).toContain('--force')
    expect(readFileSync(file, 'utf8')).toBe(theirs)
    expect(run('setup', name, '--force').code).toBe(0)
    expect(readFileSync(file, 'utf8')).not.toContain('theirs')
  })
})

test('all are those that are found here, and somebody who has none is told so', () => {
  const { run, places, fileOf } = ground()
  expect(run('setup', 'all')).toMatchObject({ code: 3 })
  for (const name of ['cursor', 'codex'] as const) {
    mkdirSync(CLIENTS[name].sign(places), { recursive: true })
  }
  expect(run('setup', 'all').code).toBe(0)
  expect(existsSync(CLIENTS.cursor.user(places))).toBe(true)
  expect(existsSync(fileOf('codex'))).toBe(true)
  expect(existsSync(fileOf('windsurf'))).toBe(false)
})

test('a client without settings for a project says so', () => {
  const { run } = ground()
  const said = run('setup', 'windsurf', '--scope', 'project')
  expect(said).toMatchObject({ code: 2 })
  expect(said.err).toContain('--scope')
})

test('the doctor finds a client that starts what is not there', () => {
  const { run, fileOf } = ground()
  run('setup', 'cursor')
  const file = fileOf('cursor')
  writeFileSync(file, readFileSync(file, 'utf8').replace(process.execPath, '/gone/node'))
  expect(run('doctor').out).toContain('/gone/node')
})
