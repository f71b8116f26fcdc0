import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { writeWhole } from '../../src/doors/setup/json-file.ts'
import { launcherFor } from '../../src/doors/setup/server-entry.ts'
import { scratch } from '../cli/support/scratch.ts'
import { COMPILED } from '../support/compiled.ts'

vi.setConfig({ testTimeout: 120_000 }) // several processes in a row, on a busy machine

const BIN = fileURLToPath(new URL('../../src/doors/cli/bin.ts', import.meta.url))

interface Ground {
  readonly home: string
  readonly folder: string
  readonly server: string
  readonly hooks: string
  readonly run: Running
}

interface Running {
  (
    ...args: readonly string[]
  ): {
    readonly code: number | null
    readonly out: string
    readonly err: string
  }
  env?: Readonly<Record<string, string>>
  /** By what path it is started. */
  program?: string
}

/** A home and a project of the test's own, and the real program inside of them. */
function ground(): Ground {
  const home = realpathSync(scratch())
  const folder = realpathSync(scratch())
  const run: Running = (...args) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [run.program ?? BIN, 'setup', 'claude-code', ...args],
      {
        cwd: folder,
        env: { ...COMPILED, HOME: home, PATH: '/nowhere', ...run.env },
        encoding: 'utf8',
      },
    )
    return { code: status, out: stdout, err: stderr }
  }
  return {
    home,
    folder,
    server: path.join(folder, '.mcp.json'),
    hooks: path.join(folder, '.claude', 'settings.json'),
    run,
  }
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

const FOREIGN = `{
    "permissions": { "allow": ["Bash(ls:*)"] },
    "hooks": {
        "UserPromptSubmit": [
            { "hooks": [{ "type": "command", "command": "echo hello" }] }
        ],
        "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]
    }
}
`

describe('muniment setup claude-code', () => {
  test('registers the server in the project, and says what to do next', () => {
    const { run, server, hooks } = ground()
    const said = run()
    expect(said).toMatchObject({ code: 0, err: '' })
    expect(said.out).toContain('Restart the client')
    expect(read(server)).toEqual({
      mcpServers: {
        muniment: {
          type: 'stdio',
          command: process.execPath,
          args: [BIN, 'mcp', '--project', '.'],
        },
      },
    })
    expect(existsSync(hooks)).toBe(false)
  })

  test('merges server and hooks into what is there, keeps a backup, and is done when done', () => {
    const { run, server, hooks, home } = ground()
    const others = { mcpServers: { other: { command: 'x' } }, note: 'mine' }
    writeFileSync(server, JSON.stringify(others))
    mkdirSync(path.dirname(hooks))
    writeFileSync(hooks, FOREIGN)
    expect(run('--hooks').code).toBe(0)
    expect(read(server)).toMatchObject({
      ...others,
      mcpServers: { muniment: { args: [BIN, 'mcp', '--project', '.'] } },
    })
    expect(readFileSync(server, 'utf8')).not.toContain('\n') // as dense as it was
    const settings = read(hooks)
    expect(settings.permissions).toEqual({ allow: ['Bash(ls:*)'] })
    expect(Object.keys(settings.hooks)).toEqual([
      'UserPromptSubmit',
      'Stop',
      'PreToolUse',
      'PostToolUse',
      'SessionStart',
      'PreCompact',
      'SessionEnd',
    ])
    expect(settings.hooks.UserPromptSubmit).toEqual([
      { hooks: [{ type: 'command', command: 'echo hello' }] },
      {
        hooks: [
          {
            type: 'command',
            command: `${process.execPath} ${BIN} hook prompt --project .`,
            timeout: 10,
          },
        ],
      },
    ])
    expect(settings.hooks.PostToolUse).toMatchObject([{ matcher: '*' }])
    expect(settings.hooks.PreToolUse).toMatchObject([{ matcher: 'mcp__.*__(memory|meta)_.*' }])
    expect(readFileSync(hooks, 'utf8')).toContain('\n    "permissions"') // in its own indent
    expect(readFileSync(`${hooks}.muniment-backup`, 'utf8')).toBe(FOREIGN)

    const before = readFileSync(hooks, 'utf8')
    const again = run('--hooks')
    expect(again.out).toContain('nothing to do')
    expect(readFileSync(hooks, 'utf8')).toBe(before)
    run('--hooks', '--home', path.join(home, 'other')) // another home takes the place, it does not add up
    expect(read(hooks).hooks.UserPromptSubmit).toHaveLength(2)
    expect(readFileSync(`${hooks}.muniment-backup`, 'utf8')).toBe(FOREIGN)
  })

  test('undo puts back, byte for byte, what nobody else has changed since', () => {
    const { run, server, hooks } = ground()
    mkdirSync(path.dirname(hooks))
    writeFileSync(hooks, FOREIGN)
    run('--hooks')
    expect(run('--undo').code).toBe(0)
    expect(readFileSync(hooks, 'utf8')).toBe(FOREIGN)
    expect(existsSync(server)).toBe(false) // it was ours alone
    expect(existsSync(`${hooks}.muniment-backup`)).toBe(false)
    expect(run('--undo').out).toContain('nothing to do')
  })

  test('undo takes out what is ours where others have written since', () => {
    const { run, hooks } = ground()
    mkdirSync(path.dirname(hooks))
    writeFileSync(hooks, FOREIGN)
    run('--hooks')
    const settings = read(hooks)
    settings.model = 'another'
    settings.hooks.PostToolUse[0].hooks.push({ type: 'command', command: 'lint' })
    writeFileSync(hooks, JSON.stringify(settings, null, 2))
    run('--undo')
    expect(read(hooks)).toEqual({
      ...JSON.parse(FOREIGN),
      model: 'another',
      hooks: {
        ...JSON.parse(FOREIGN).hooks,
        PostToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: 'lint' }] }],
      },
    })
  })

  test('somebody else’s server of our name stays, unless it is told to go, and then comes back', () => {
    const { run, server } = ground()
    const theirs = '{ "mcpServers": { "muniment": { "command": "docker", "args": ["run", "m"] } } }'
    writeFileSync(server, theirs)
    const refused = run()
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toContain('--force')
    expect(run('--undo').out).toContain('nothing to do')
    expect(readFileSync(server, 'utf8')).toBe(theirs)
    expect(run('--force').code).toBe(0)
    expect(read(server).mcpServers.muniment.args).toEqual([BIN, 'mcp', '--project', '.'])
    expect(readFileSync(`${server}.muniment-backup`, 'utf8')).toBe(theirs)
    expect(run('--undo').code).toBe(0)
    expect(readFileSync(server, 'utf8')).toBe(theirs)
  })

  test('what it finds of its own without a backup is kept before it is replaced', () => {
    const { run, server, home } = ground()
    const copied =
      '{"mcpServers":{"muniment":{"command":"muniment","args":["mcp"],"env":{"A":"1"}}}}'
    writeFileSync(server, copied)
    expect(run().code).toBe(0)
    expect(readFileSync(`${server}.muniment-backup`, 'utf8')).toBe(copied)
    run('--home', path.join(home, 'other'))
    expect(readFileSync(`${server}.muniment-backup`, 'utf8')).toBe(copied)
    run('--undo')
    expect(readFileSync(`${server}.muniment-backup`, 'utf8')).toBe(copied)
  })

  test.each([
    ['hooks that are a list', '{"hooks":["mine"]}', 'hooks'],
    ['an event that is no list', '{"hooks":{"PreCompact":{"mine":1}}}', 'hooks'],
    ['servers that are a text', '{"mcpServers":"mine"}', 'server'],
    ['a number that would come back as another', '{"id":12345678901234567890}', 'server'],
    ['a name that is there twice', '{"a":1,"a":2}', 'server'],
  ] as const)('%s: left as they are, and so is every other file', (_, text, which) => {
    const made = ground()
    mkdirSync(path.dirname(made.hooks))
    writeFileSync(made[which], text)
    const said = made.run('--hooks')
    expect(said).toMatchObject({ code: 2, out: '' })
    expect(said.err).toContain('left as it is')
    expect(readFileSync(made[which], 'utf8')).toBe(text)
    expect(existsSync(made[which === 'hooks' ? 'server' : 'hooks'])).toBe(false)
    expect(existsSync(`${made[which]}.muniment-backup`)).toBe(false)
  })

  test('a file that somebody wrote meanwhile is not overwritten', async () => {
    const file = path.join(scratch(), 'settings.json')
    writeFileSync(file, '{"theirs":2}')
    await expect(writeWhole(file, '{"ours":1}', '{"theirs":1}')).rejects.toMatchObject({
      code: 'store_busy',
    })
    expect(readFileSync(file, 'utf8')).toBe('{"theirs":2}')
    expect(readdirSync(path.dirname(file))).toEqual(['settings.json'])
    await writeWhole(file, '{"ours":1}', '{"theirs":2}')
    expect(readFileSync(file, 'utf8')).toBe('{"ours":1}')
  })

  test('an empty member that was there before us is there after us', () => {
    const { run, server } = ground()
    writeFileSync(server, '{ "mcpServers": {} }')
    expect(run('--undo').out).toContain('nothing to do')
    expect(readFileSync(server, 'utf8')).toBe('{ "mcpServers": {} }')
  })

  test('a dry run shows what would be written, and writes nothing', () => {
    const { run, server, hooks } = ground()
    const said = run('--hooks', '--dry-run')
    expect(said.out).toContain('"mcpServers"')
    expect(said.out).toContain('Nothing was done')
    expect([existsSync(server), existsSync(hooks)]).toEqual([false, false])
    expect(JSON.parse(run('--dry-run', '--json').out)).toMatchObject({
      dryRun: true,
      changes: [{ what: 'server', action: 'create', text: expect.stringContaining('mcpServers') }],
    })
  })

  test('the home of this call is written for the client, also by variables; a stack is bound there', () => {
    const { run, server, home } = ground()
    const elsewhere = path.join(home, 'elsewhere')
    run.env = { MUNIMENT_HOME: elsewhere, MUNIMENT_STACK: 'work' }
    run()
    const { args } = read(server).mcpServers.muniment
    expect(args.slice(-5)).toEqual(['mcp', '--project', '.', '--home', elsewhere])
    expect(read(path.join(elsewhere, 'projects.json')).bindings).toMatchObject([{ stack: 'work' }])
  })

  test('for all projects the stack of this call is written for the client', () => {
    const { run, home } = ground()
    run('--scope', 'user', '--stack', 'work')
    const { args } = read(path.join(home, '.claude.json')).mcpServers.muniment
    expect(args.slice(-3)).toEqual(['mcp', '--stack', 'work'])
  })

  test('a folder that was made for the hooks goes with them', () => {
    const { run, folder } = ground()
    run('--hooks')
    run('--undo')
    expect(readdirSync(folder)).toEqual([])
  })

  test('a link to the program is followed: the cache that it lies in may be gone tomorrow', () => {
    const { run, server, folder } = ground()
    const link = path.join(realpathSync(scratch()), 'muniment')
    symlinkSync(BIN, link)
    run.program = link
    run()
    expect(read(server).mcpServers.muniment.args[0]).toBe(BIN)
    expect(readdirSync(folder)).toEqual(['.mcp.json'])
  })

  test('for all projects it writes into the user’s own files, with their mode, behind links', () => {
    const { run, home, server } = ground()
    const real = path.join(home, 'dotfiles.json')
    writeFileSync(real, '{ "numStartups": 3 }\n')
    chmodSync(real, 0o640)
    symlinkSync(real, path.join(home, '.claude.json'))
    run('--hooks', '--scope', 'user')
    expect(read(real)).toMatchObject({ numStartups: 3, mcpServers: { muniment: {} } })
    expect(statSync(real).mode & 0o777).toBe(0o640)
    expect(realpathSync(path.join(home, '.claude.json'))).toBe(real)
    expect(read(path.join(home, '.claude', 'settings.json')).hooks.PreCompact).toHaveLength(1)
    expect(existsSync(server)).toBe(false)
  })

  test('a file that is no JSON is left alone, and so is every other', () => {
    const { run, server, hooks } = ground()
    mkdirSync(path.dirname(hooks))
    writeFileSync(hooks, '{ // a comment\n}')
    const said = run('--hooks')
    expect(said).toMatchObject({ code: 2, out: '' })
    expect(said.err).toContain('is not a JSON object')
    expect(readFileSync(hooks, 'utf8')).toBe('{ // a comment\n}')
    expect(existsSync(server)).toBe(false)
  })
})

describe('how the client starts it', () => {
  const running = (searchPath: string) => ({ searchPath, node: '/n/node', script: '/m/bin.js' })

  test('by name where it is installed, otherwise by where it lies', () => {
    const folder = scratch()
    expect(launcherFor(running(folder))).toEqual({ command: '/n/node', args: ['/m/bin.js'] })
    writeFileSync(path.join(folder, 'muniment'), '', { mode: 0o755 })
    expect(launcherFor(running(`/nowhere${path.delimiter}${folder}`))).toEqual({
      command: 'muniment',
      args: [],
    })
  })

  test('what only npm or npx has on the path does not count', () => {
    const folder = path.join(scratch(), 'node_modules', '.bin')
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'muniment'), '', { mode: 0o755 })
    expect(launcherFor(running(folder)).command).toBe('/n/node')
  })
})
