import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CallOptions, Desk } from '../cli/support/fake-host.ts'
import { scratch } from '../cli/support/scratch.ts'

interface Listed {
  readonly here: { readonly stack: string | null; readonly name: string; readonly because: string }
  readonly stacks: readonly {
    readonly id: string
    readonly name: string
    readonly projects: readonly { readonly path: string; readonly exists: boolean }[]
    readonly memories: number | null
    readonly lastWrite: string | null
    readonly isUsedHere: boolean
  }[]
}

/** A home, a user's folder, and folders to work in. */
function ground() {
  const root = realpathSync(scratch())
  const home = path.join(root, 'user', '.muniment')
  const user = path.join(root, 'user')
  mkdirSync(user)
  const bin = path.join(root, 'bin')
  mkdirSync(bin)
  writeFileSync(path.join(bin, 'muniment'), '', { mode: 0o755 }) // so that clients start it by name
  const desk = new Desk(home)
  const folder = (...names: readonly string[]): string => {
    const made = path.join(root, 'work', ...names)
    mkdirSync(made, { recursive: true })
    return made
  }
  const inside = (at: string): CallOptions => ({ folder: at, env: { HOME: user, PATH: bin } })
  const person = (at: string, ...args: readonly string[]) => desk.person(args, inside(at))
  const program = (at: string, ...args: readonly string[]) => desk.call(args, inside(at))
  const setup = (at: string, ...more: readonly string[]) =>
    program(at, 'setup', 'claude-code', '--hooks', ...more)
  const listed = async (at: string, ...more: readonly string[]) =>
    (await program(at, 'stacks', '--json', ...more)).json() as Listed
  const stackOf = async (at: string): Promise<string | null> => (await listed(at)).here.stack
  const found = async (at: string, query: string, ...more: readonly string[]) => {
    const said = await program(at, 'search', query, '--json', ...more)
    if (said.code !== 0) return said.json()
    return (said.json() as readonly { memory: { content?: string } }[]).length
  }
  const registry = path.join(home, 'projects.json')
  return {
    desk,
    home,
    user,
    root,
    folder,
    person,
    program,
    setup,
    listed,
    stackOf,
    found,
    registry,
  }
}

const git = (at: string, ...args: readonly string[]): void => {
  const env = { PATH: process.env.PATH, HOME: at, GIT_CONFIG_NOSYSTEM: '1' }
  const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.org']
  const { status, stderr } = spawnSync('git', [...who, ...args], { cwd: at, env, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
}

describe('a project has a stack of its own', () => {
  test('a new folder is not served another project’s memories', async () => {
    const { folder, setup, person, found, stackOf } = ground()
    const [shop, blog, nowhere] = [folder('shop'), folder('blog'), folder('nowhere')]
    expect((await setup(shop)).code).toBe(0)
    await person(shop, 'note', 'The shop deploys on Tuesdays')
    expect((await setup(blog)).code).toBe(0)
    expect(await found(blog, 'when do we deploy')).toMatchObject({ error: { code: 'not_found' } })
    await person(blog, 'note', 'The blog is written in Norwegian')
    expect(await found(blog, 'deploys on Tuesdays')).toBe(0)
    expect(await found(shop, 'deploys on Tuesdays')).toBe(1) // control: there it is
    expect(await found(folder('shop', 'src', 'cart'), 'deploys on Tuesdays')).toBe(1)
    expect(await stackOf(nowhere)).toBe('default')
    expect(await stackOf(shop)).toMatch(/^p-[0-9a-f]{16}$/)
    expect(await stackOf(blog)).not.toBe(await stackOf(shop))
  })

  test('the binding lies in the home, private, and nothing of it in the project', async () => {
    const { folder, setup, stackOf, registry } = ground()
    const shop = folder('shop')
    await setup(shop)
    const id = String(await stackOf(shop))
    expect(statSync(registry).mode & 0o777).toBe(0o600)
    expect(readFileSync(registry, 'utf8')).toContain(id)
    for (const name of readdirSync(shop, { recursive: true, encoding: 'utf8' })) {
      const file = path.join(shop, name)
      if (statSync(file).isFile()) expect(readFileSync(file, 'utf8'), name).not.toContain(id)
    }
  })

  test('the folder’s name is shown, and can be another one', async () => {
    const { folder, setup, person, listed } = ground()
    const shop = folder('shop')
    expect((await setup(shop)).out).toContain('the stack “shop” (p-')
    expect((await listed(shop)).here.name).toBe('shop')
    const { id = '' } = (await listed(shop)).stacks.find(({ isUsedHere }) => isUsedHere) ?? {}
    expect((await person(shop, 'stacks', 'rename', 'shop', 'Web shop')).code).toBe(0)
    expect(await listed(shop)).toMatchObject({ here: { stack: id, name: 'Web shop' } })
    expect((await person(shop, 'stacks', 'rename', id, 'two\nlines')).code).toBe(2)
    const blog = folder('blog')
    await setup(blog, '--name', 'My blog')
    expect((await listed(blog)).here.name).toBe('My blog')
  })

  test('a name in the place of an id leads to the id, and makes no second stack', async () => {
    const { folder, setup, person, listed } = ground()
    const shop = folder('shop')
    await setup(shop)
    const { id = '' } = (await listed(shop)).stacks.find(({ isUsedHere }) => isUsedHere) ?? {}
    const byName = await person(shop, 'list', '--stack', 'shop')
    expect(byName.err).toContain(`--stack ${id}`)
    expect(byName.err).not.toContain('muniment init')
    expect((await listed(shop)).stacks.map((stack) => stack.id)).toEqual([id])
  })

  test('setup again changes nothing, and two names alike are told apart by id', async () => {
    const { folder, setup, stackOf, person, registry } = ground()
    const [one, two] = [folder('a', 'app'), folder('b', 'app')]
    await setup(one)
    const before = readFileSync(registry, 'utf8')
    const again = await setup(one)
    expect(again.out).toContain('stays bound')
    expect(readFileSync(registry, 'utf8')).toBe(before)
    await setup(two)
    const said = await person(folder('c'), 'stacks', 'bind', 'app')
    expect(said.code).toBe(2)
    expect(said.err).toContain(String(await stackOf(one)))
    expect((await person(folder('c'), 'stacks', 'bind', String(await stackOf(two)))).code).toBe(0)
    expect(await stackOf(folder('c'))).toBe(await stackOf(two))
  })

  test('a dry run binds nothing, and a refused file leaves no binding', async () => {
    const { folder, setup, registry } = ground()
    const shop = folder('shop')
    const dry = await setup(shop, '--dry-run')
    expect(dry.out).toContain('the stack “shop”')
    expect(existsSync(registry)).toBe(false)
    writeFileSync(path.join(shop, '.mcp.json'), '{ not json')
    expect((await setup(shop)).code).toBe(2)
    expect(existsSync(registry)).toBe(false)
  })

  test('a folder that holds all projects gets no stack', async () => {
    const { user, root, setup, registry, folder } = ground()
    for (const at of [user, root]) {
      const said = await setup(at)
      expect(said.code, at).toBe(2)
      expect(said.err).toContain('shared by all')
    }
    expect(existsSync(registry)).toBe(false)
    expect((await setup(folder('shop'))).code).toBe(0)
  })

  test('for all projects nothing is bound, and each project uses its own stack', async () => {
    const { folder, setup, stackOf, registry, user } = ground()
    const shop = folder('shop')
    expect((await setup(shop, '--scope', 'user')).code).toBe(0)
    expect(existsSync(registry)).toBe(false)
    const { mcpServers } = JSON.parse(readFileSync(path.join(user, '.claude.json'), 'utf8'))
    expect(mcpServers.muniment.args).not.toContain('--project')
    expect(await stackOf(shop)).toBe('default')
    await setup(shop)
    expect(await stackOf(shop)).toMatch(/^p-/)
  })
})

describe('which folders belong to a project', () => {
  test('a copied or moved folder opens nothing until a person binds it', async () => {
    const { desk, folder, setup, person, program, stackOf, listed, root } = ground()
    const shop = folder('shop')
    await setup(shop)
    await person(shop, 'note', 'The shop deploys on Tuesdays')
    const id = String(await stackOf(shop))
    const copy = path.join(root, 'work', 'copy')
    cpSync(shop, copy, { recursive: true })
    const event = { stdin: '{"prompt":"hello","session_id":"s"}', folder: copy }
    const hooked = await desk.call(['hook', 'prompt', '--project', '.'], event)
    expect(hooked).toMatchObject({ code: 0, out: '' })
    expect(hooked.err).toContain('No stack is bound to the project')
    const asked = await program(copy, 'search', 'deploys', '--project', '.', '--json')
    expect(asked.json()).toMatchObject({ error: { code: 'scope' } })
    expect(await stackOf(copy)).toBe('default')
    const moved = path.join(root, 'work', 'moved')
    renameSync(shop, moved)
    const { stacks } = await listed(moved)
    expect(stacks.find((each) => each.id === id)?.projects).toEqual([
      { path: shop, exists: false, readsPersonal: false },
    ])
    expect((await person(moved, 'stacks', 'bind', id)).code).toBe(0)
    expect(await stackOf(moved)).toBe(id)
  })

  test('a nested project has a stack of its own; without one, the outer stack holds', async () => {
    const { folder, setup, stackOf } = ground()
    const [outer, inner] = [folder('outer'), folder('outer', 'packages', 'inner')]
    await setup(outer)
    expect(await stackOf(inner)).toBe(await stackOf(outer))
    await setup(inner)
    expect(await stackOf(inner)).not.toBe(await stackOf(outer))
    expect(await stackOf(folder('outer', 'packages', 'inner', 'src'))).toBe(await stackOf(inner))
    expect(await stackOf(folder('outer', 'packages'))).toBe(await stackOf(outer))
  })

  test('a git repository inside a project is no part of the project', async () => {
    const { folder, setup, stackOf } = ground()
    const outer = folder('outer')
    await setup(outer)
    const clone = folder('outer', 'vendor', 'clone')
    expect(await stackOf(clone)).toBe(await stackOf(outer)) // control: a plain folder is
    git(clone, 'init', '-q')
    expect(await stackOf(clone)).toBe('default')
    expect(await stackOf(folder('outer', 'vendor', 'clone', 'src'))).toBe('default')
  })

  test('a git worktree belongs to its repository; a forged one does not', async () => {
    const { folder, setup, stackOf, root } = ground()
    const main = folder('main')
    git(main, 'init', '-q')
    git(main, 'commit', '-q', '--allow-empty', '-m', 'begin')
    await setup(main)
    const tree = path.join(root, 'elsewhere')
    git(main, 'worktree', 'add', '-q', tree)
    expect(await stackOf(tree)).toBe(await stackOf(main))
    expect(await stackOf(main)).toMatch(/^p-/)
    const copied = folder('copied')
    cpSync(path.join(tree, '.git'), path.join(copied, '.git'))
    expect(await stackOf(copied)).toBe('default')
    const forged = folder('forged')
    const entry = path.join(forged, 'fake', '.git', 'worktrees', 'x')
    mkdirSync(entry, { recursive: true })
    writeFileSync(path.join(forged, '.git'), `gitdir: ${entry}\n`)
    writeFileSync(path.join(entry, 'gitdir'), `${path.join(forged, '.git')}\n`)
    writeFileSync(path.join(entry, 'commondir'), `${path.join(main, '.git')}\n`)
    expect(await stackOf(forged)).toBe('default')
    await setup(tree) // a worktree may have a stack of its own
    expect(await stackOf(tree)).not.toBe(await stackOf(main))
  })

  test('a hook belongs to the project that its client names, wherever the agent went', async () => {
    const { desk, folder, setup, found, user } = ground()
    const [shop, elsewhere] = [folder('shop'), folder('elsewhere')]
    await setup(shop)
    const prompt = (env: Readonly<Record<string, string>>) =>
      desk.call(['hook', 'prompt', '--project', '.'], {
        folder: elsewhere,
        env: { HOME: user, ...env },
        stdin: '{"prompt":"Parcels leave at noon","session_id":"s"}',
      })
    expect((await prompt({})).err).toContain('No stack is bound')
    expect(await prompt({ CLAUDE_PROJECT_DIR: shop })).toMatchObject({ code: 0, err: '' })
    expect(await found(shop, 'when do parcels leave')).toBe(1)
  })

  test('a client that leaves its variable as it is means the folder it starts servers in', async () => {
    const { folder, setup, listed, stackOf } = ground()
    const shop = folder('shop')
    await setup(shop)
    const variable = ['$', '{workspaceFolder}'].join('')
    const { here } = await listed(shop, '--project', variable)
    expect(here.stack).toBe(await stackOf(shop))
    expect((await listed(folder('other'), '--project', variable)).here.stack).toBe(null)
  })

  test('a symbolic link leads to the project that it names', async () => {
    const { folder, setup, stackOf, root } = ground()
    const shop = folder('shop')
    const link = path.join(root, 'link')
    symlinkSync(shop, link)
    await setup(link)
    expect(await stackOf(shop)).toMatch(/^p-/)
    expect(await stackOf(link)).toBe(await stackOf(shop))
    symlinkSync(folder('other'), path.join(shop, 'out'))
    expect(await stackOf(path.join(shop, 'out'))).toBe('default')
  })
})

describe('the registry in the home', () => {
  test.each([
    ['no JSON', '{ "v": 1', 'is not JSON'],
    ['another shape', '[]', 'is not an object'],
    ['no version', '{}', '“v” is not 1'],
    ['a path that is relative', registryWith({ path: 'shop' }), '“bindings” is not valid'],
    ['a stack that is a path', registryWith({ stack: '../../x' }), '“bindings” is not valid'],
    ['a newer version', '{ "v": 2 }', 'newer muniment'],
  ])('%s: a clear error, and no stack is guessed', async (_, text, says) => {
    const { folder, home, program, person, registry, desk } = ground()
    const shop = folder('shop')
    mkdirSync(home, { recursive: true })
    writeFileSync(registry, text, { mode: 0o600 })
    const said = await program(shop, 'note', 'Something private')
    expect(said.code).toBe(5)
    expect(said.err).toContain(says)
    expect([...desk.stores.keys()]).toEqual([])
    expect((await person(shop, 'note', 'Named', '--stack', 'work')).code).toBe(0)
    writeFileSync(registry, registryWith({ path: shop })) // control: this one is read
    expect((await program(shop, 'stacks', '--json')).json()).toMatchObject({
      here: { stack: 'p-1' },
    })
  })

  test('a registry that others can write is refused', async () => {
    const { folder, setup, program, registry } = ground()
    const shop = folder('shop')
    await setup(shop)
    spawnSync('chmod', ['666', registry])
    const said = await program(shop, 'note', 'Something private')
    expect(said.code).toBe(1)
    expect(said.err).toContain('chmod 600')
  })
})

function registryWith(binding: Readonly<Record<string, unknown>>): string {
  const usual = { path: '/p', stack: 'p-1', boundAt: '2026-01-01T00:00:00.000Z' }
  const bindings = [{ ...usual, readsPersonal: false, ...binding }]
  return JSON.stringify({ v: 1, names: [], bindings, consents: [] })
}

describe('who may bind', () => {
  test('a program makes a stack for a project, and never points it at memories that are there', async () => {
    const { folder, setup, person, program, stackOf } = ground()
    const [shop, evil] = [folder('shop'), folder('evil')]
    await setup(shop)
    const id = String(await stackOf(shop))
    for (const args of [
      ['stacks', 'bind', id],
      ['stacks', 'bind', '--new'],
      ['stacks', 'rename', id, 'mine'],
    ]) {
      expect((await program(evil, ...args)).code, args.join(' ')).toBe(1)
    }
    expect((await program(shop, 'stacks', 'unbind')).code).toBe(1)
    const refused = await setup(evil, '--stack', id)
    expect(refused.code).toBe(1)
    expect(refused.err).toContain(`muniment stacks bind ${id}`)
    expect(existsSync(path.join(evil, '.mcp.json'))).toBe(false)
    expect(await stackOf(evil)).toBe('default')
    expect((await setup(evil, '--stack', 'fresh')).code).toBe(0) // control: nobody’s memories
    expect(await stackOf(evil)).toBe('fresh')
    expect((await person(evil, 'stacks', 'bind', id)).code).toBe(0) // control: a person may
    expect(await stackOf(evil)).toBe(id)
    expect((await person(evil, 'stacks', 'unbind')).code).toBe(0)
    expect(await stackOf(evil)).toBe('default')
  })
})

describe('projects that were set up before', () => {
  test('go on with “default”, and setup says how to keep it', async () => {
    const { folder, setup, person, program, found, stackOf, listed } = ground()
    const old = folder('old')
    await person(old, 'note', 'Said before projects had stacks')
    const entry = { type: 'stdio', command: 'muniment', args: ['mcp'] }
    writeFileSync(path.join(old, '.mcp.json'), JSON.stringify({ mcpServers: { muniment: entry } }))
    expect(await stackOf(old)).toBe('default')
    expect(await found(old, 'before projects had stacks')).toBe(1)
    const said = await setup(old)
    expect(said.out).toContain('muniment stacks bind default')
    expect(await stackOf(old)).toMatch(/^p-/)
    expect((await person(old, 'stacks', 'bind', 'default')).code).toBe(0)
    expect(await found(old, 'before projects had stacks')).toBe(1)
    expect((await listed(old)).here.because).toContain('is bound to it')
    expect((await program(old, 'doctor')).out).toMatch(
      /used +“default” is used here, since the project/,
    )
  })
})

test('undo says what it leaves behind, and how to remove that', async () => {
  const { folder, setup, person, home, stackOf, registry } = ground()
  const shop = folder('shop')
  mkdirSync(path.join(shop, '.claude'))
  writeFileSync(path.join(shop, '.claude', 'settings.json'), '{ "model": "a" }\n')
  await setup(shop)
  await person(shop, 'note', 'The shop deploys on Tuesdays')
  const id = String(await stackOf(shop))
  const settings = path.join(shop, '.claude', 'settings.json')
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('"a"', '"b"'))
  const said = await setup(shop, '--undo')
  for (const words of [
    'Left in place',
    `“shop” (${id})`,
    `rm ${path.join(home, 'stacks', `${id}.db`)}*`,
    registry,
    'muniment stacks unbind',
    `rm -r ${home}`,
    `rm ${settings}.muniment-backup`,
  ]) {
    expect(said.out).toContain(words)
  }
  expect(await stackOf(shop)).toBe(id)
  expect((await setup(shop, '--undo', '--json')).json()).toMatchObject({
    left: { home, binding: { stack: id, path: shop } },
  })
})
