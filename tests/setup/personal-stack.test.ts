import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { label } from '../../src/domain/labels.ts'
import { AT_TERMINAL, Desk } from '../cli/support/fake-host.ts'
import { scratch } from '../cli/support/scratch.ts'
import { served } from '../http/support/server.ts'
import { connect } from '../mcp/support/clients.ts'

vi.setConfig({ testTimeout: 120_000 }) // a process of its own, on a busy machine

/** Two bound projects and a personal stack in which the person noted something. */
async function ground() {
  const root = realpathSync(scratch())
  const home = path.join(root, 'home')
  const [shop, blog] = [path.join(root, 'shop'), path.join(root, 'blog')]
  mkdirSync(shop)
  mkdirSync(blog)
  const desk = new Desk(home)
  const user = path.join(root, 'user')
  const person = (folder: string, ...args: readonly string[]) =>
    desk.person(args, { folder, env: { HOME: user } })
  const program = (folder: string, args: readonly string[], stdin = '') =>
    desk.call(args, { folder, stdin, env: { HOME: user } })
  for (const folder of [shop, blog]) {
    expect((await person(folder, 'stacks', 'bind', '--new')).code).toBe(0)
    await person(folder, 'note', `The train of ${path.basename(folder)} leaves at nine`)
  }
  const kept = await person(shop, 'note', 'I prefer the train', '--stack', 'personal')
  expect(kept.code).toBe(0)
  await person(shop, 'claim', 'user', 'city', 'Lisbon', '--stack', 'personal')
  const read = async (folder: string, ...args: readonly string[]) =>
    (await program(folder, [...args, '--json'])).out
  const start = async (folder: string) =>
    (await program(folder, ['hook', 'start', '--project', '.'], '{"session_id":"s"}')).out
  return { desk, home, root, shop, blog, user, person, program, read, start }
}

const PREFERS = 'I prefer the train'

test('search, load, ask and a session’s start read it only in a project that a person allowed', async () => {
  const { shop, blog, person, program, read, start } = await ground()
  const reads = [
    (at: string) => read(at, 'search', 'train'),
    (at: string) => read(at, 'agent', 'load'),
    (at: string) => start(at),
  ]
  for (const each of reads) expect(await each(shop)).not.toContain(PREFERS)
  expect(await read(shop, 'ask', 'user', 'city')).not.toContain('Lisbon')
  expect((await program(shop, ['stacks', 'personal'])).code).toBe(1) // no program agrees
  expect((await person(shop, 'stacks', 'personal')).code).toBe(0)
  for (const each of reads) {
    expect(await each(shop)).toContain(PREFERS)
    expect(await each(shop)).toContain('The train of shop')
    expect(await each(blog)).not.toContain(PREFERS) // the other project was not allowed
    expect(await each(blog)).toContain('The train of blog')
  }
  expect(await read(shop, 'ask', 'user', 'city')).toContain('Lisbon')
  const found = JSON.parse(await read(shop, 'search', 'train')) as readonly {
    content: string
    stack?: string
  }[]
  const stackOf = (text: string) => found.find(({ content }) => content.includes(text))?.stack
  expect([stackOf(PREFERS), stackOf('of shop')]).toEqual(['personal', undefined])
  const page = (await person(shop, 'search', 'train')).out
  expect(page.indexOf('person’s own stack')).toBeLessThan(page.indexOf(PREFERS))
  expect(page.indexOf('person’s own stack')).toBeGreaterThan(page.indexOf('The train of shop'))
  expect(await read(shop, 'search', 'train', '--stack', 'default')).not.toContain(PREFERS)
  expect((await person(shop, 'stacks', 'personal', '--undo')).code).toBe(0)
  for (const each of reads) expect(await each(shop)).not.toContain(PREFERS)
})

test('only a person opens it: no write, read or hook of a program, in no project', async () => {
  const { shop, person, program, read } = await ground()
  await person(shop, 'stacks', 'personal')
  const inPersonal = ['--stack', 'personal']
  for (const args of [
    ['note', 'The agent was here'],
    ['search', 'train'],
    ['list'],
    ['init'],
    ['mcp'],
  ]) {
    const said = await program(shop, [...args, ...inPersonal])
    expect(said.code, args[0]).toBe(1)
    expect(said.err).toContain('opened by a person alone')
  }
  const hooked = await program(
    shop,
    ['hook', 'prompt', ...inPersonal],
    '{"prompt":"The agent was here","session_id":"s"}',
  )
  expect(hooked.err).toContain('opened by a person alone')
  expect((await program(shop, ['note', 'The agent noted this'])).code).toBe(0)
  const list = (await person(shop, 'list', ...inPersonal)).out
  expect(list).toContain(PREFERS) // control: the person reads it
  expect(list).not.toContain('agent')
  expect(await read(shop, 'search', 'agent noted')).toContain('The agent noted this')
  for (const args of [
    ['bind', 'personal'],
    ['bind', '--stack', 'personal'],
  ]) {
    const said = await person(shop, 'stacks', ...args)
    expect(said.code).not.toBe(0)
  }
})

test.each(['Personal', 'PERSONAL'])(
  'no stack is called %s: the name is the person’s',
  async (name) => {
    const { shop, person, program } = await ground()
    for (const args of [['note', 'The agent was here'], ['init'], ['mcp'], ['list']]) {
      const said = await program(shop, [...args, '--stack', name])
      expect([args[0], said.code]).toEqual([args[0], 1])
      expect(said.err).toContain('opened by a person alone')
    }
    const typed = await person(shop, 'note', 'Mine', '--stack', name)
    expect(typed).toMatchObject({ code: 2, err: expect.stringContaining('--stack personal') })
    for (const args of [
      ['stacks', 'bind', '--new', '--name', name],
      ['stacks', 'bind', name],
      ['stacks', 'rename', 'shop', name],
    ]) {
      const said = await person(shop, ...args)
      expect([args[1], said.code]).toEqual([args[1], 2])
      expect(said.err).toMatch(/reserved|personal stack/)
    }
    expect((await person(shop, 'stacks', '--json')).out).not.toContain(`"${name}"`)
    expect((await person(shop, 'note', 'Mine', '--stack', 'personal')).code).toBe(0) // control
    expect((await program(shop, ['note', 'Ours', '--stack', 'personal-site'])).code).toBe(0) // control
  },
)

test.each([
  'Рersonal', // a Cyrillic first letter
  'Personaӏ', // a Cyrillic last letter
  'persona1',
  'PersonaI',
  'Pers0nal',
  'Pérsonal',
  'P E R S O N A L',
  'personal.',
  'ᴘersonal',
])('no stack is called %s, which people read as the person’s', async (name) => {
  const { shop, person } = await ground()
  const before = (await person(shop, 'stacks', '--json')).json()
  for (const args of [
    ['stacks', 'bind', '--new', '--name', name],
    ['stacks', 'rename', 'shop', name],
  ]) {
    const said = await person(shop, ...args)
    expect([args[1], said.code]).toEqual([args[1], 2])
    expect(said.err).toMatch(/reserved/)
  }
  expect((await person(shop, 'stacks', '--json')).json()).toEqual(before)
  for (const other of ['Personal site', 'impersonal', 'person']) {
    const bound = await person(shop, 'stacks', 'bind', '--new', '--name', other, '--json')
    expect(bound.json()).toMatchObject({ name: other }) // control
  }
})

test('a program makes no stack whose id reads as personal', async () => {
  const { shop, program } = await ground()
  for (const id of ['persona1', 'PersonaI', 'pers0nal', 'per-sonal']) {
    const said = await program(shop, ['note', 'The agent was here', '--stack', id])
    expect([id, said.code]).toEqual([id, 1])
    expect(said.err).toContain('opened by a person alone')
  }
})

test('a project in a folder called Personal gets another name', async () => {
  const { root, person } = await ground()
  const folder = path.join(root, 'Personal')
  mkdirSync(folder)
  const said = await person(folder, 'stacks', 'bind', '--new', '--json')
  expect(said.json()).toMatchObject({ name: 'Personal project' })
})

test('an agent at MCP reads it marked with its stack, and writes to the project', async () => {
  const { home, shop, person } = await ground()
  const stack = await openStack('personal', { home })
  const entity = new Entity('test')
  await entity.attachStack(stack)
  const mine = { label: label.userAsserted(), actor: 'personal:user' }
  await entity.note(`${PREFERS} to the plane`, mine)
  await stack.claims.remember('user', 'city', 'Lisbon', { actor: 'ann' })
  await stack.close()
  const before = await connect('v2', { home, args: ['--project', shop] })
  expect((await before.call('memory_search', { query: 'train' })).text).not.toContain(PREFERS)
  await before.close()
  await person(shop, 'stacks', 'personal')
  const client = await connect('v2', { home, args: ['--project', shop] })
  await client.call('memory_note', { content: 'The agent noted a train' })
  const found = await client.call('memory_search', { query: 'train' })
  const results = found.structured.results as readonly { text: string; stack?: string }[]
  const stackOf = (text: string) => results.find((each) => each.text.includes(text))?.stack
  expect([stackOf(PREFERS), stackOf('agent noted')]).toEqual(['personal', undefined])
  expect(found.text).toContain('person’s own stack')
  const few = await client.call('memory_search', { query: 'train', limit: 1 })
  expect(few.structured.results).toHaveLength(1)
  const loaded = await client.call('memory_load', {})
  expect(loaded.structured.items).toContainEqual(
    expect.objectContaining({ text: `${PREFERS} to the plane`, stack: 'personal' }),
  )
  expect(loaded.text).toContain('person’s own stack')
  const asked = await client.call('memory_ask', { subject: 'user', predicate: 'city' })
  expect(asked.structured.answers).toMatchObject([
    { standing: 'unknown' },
    { standing: 'held', stack: 'personal' },
  ])
  await client.close()
  const after = await openStack('personal', { home })
  const notes = await after.list('note')
  await after.close()
  expect(JSON.stringify(notes)).not.toContain('agent')
  expect(JSON.stringify(notes)).toContain(PREFERS)
})

test('why and show answer for a ref of the personal stack, in a project that may read it', async () => {
  const { shop, blog, person, program } = await ground()
  await person(shop, 'stacks', 'personal')
  const listed = await person(shop, 'list', '--stack', 'personal')
  const ref = /note:[0-9a-f-]+/.exec(listed.out)?.[0] ?? ''
  for (const name of ['why', 'show']) {
    const said = await program(shop, [name, ref])
    expect(said.code, said.err).toBe(0)
    expect(said.out).toContain(PREFERS)
    expect(said.out).toContain('person’s own stack')
    const json = JSON.parse((await program(shop, [name, ref, '--json'])).out) as object
    expect(json, name).toMatchObject({ stack: 'personal' })
    const refused = await program(blog, [name, ref]) // the other project may not read it
    expect(refused.code, name).not.toBe(0)
    expect(refused.out + refused.err).not.toContain(PREFERS)
    const missing = await program(shop, [name, 'note:00000000-0000-7000-8000-000000000000'])
    expect(missing.code, name).not.toBe(0)
    expect(missing.err).not.toContain('personal')
  }
})

test('an agent at MCP walks a memory of the personal stack, in a project that may read it', async () => {
  const { home, shop, blog, person } = await ground()
  await person(shop, 'stacks', 'personal')
  const stack = await openStack('personal', { home }) // a file, which the server's process opens too
  const entity = new Entity('test')
  await entity.attachStack(stack)
  const mine = { label: label.userAsserted(), actor: 'personal:user' }
  const { ref } = await entity.note(PREFERS, mine)
  await stack.close()
  const client = await connect('v2', { home, args: ['--project', shop] })
  const own = await client.call('memory_note', { content: 'The agent noted a train' })
  const why = await client.call('meta_lineage', { memory_id: ref })
  expect(why.structured, why.text).toMatchObject({ ref, stack: 'personal' })
  expect(why.text).toContain('person’s own stack')
  expect(why.text).toContain(PREFERS)
  const { messages } = await client.getPrompt({ name: 'why', arguments: { about: ref } })
  expect(JSON.stringify(messages)).toContain(PREFERS)
  const ofProject = await client.call('meta_lineage', { memory_id: String(own.structured.ref) })
  expect(ofProject.structured.stack).toBeUndefined() // control: the project's own memory
  expect(ofProject.text).not.toContain('person’s own stack')
  await client.close()
  const other = await connect('v2', { home, args: ['--project', blog] })
  const nothing = await other.call('meta_lineage', { memory_id: ref })
  expect(nothing.isError).toBe(true)
  expect(nothing.text).not.toContain(PREFERS)
  await other.close()
})

test('over HTTP only a person sees it', async () => {
  const server = await served()
  await (await server.open('personal')).control.activate()
  await server.op('note', { content: 'here' })
  const listOf = async (token?: string) => {
    const said = await server.ask('/v1/stacks', token === undefined ? {} : { token })
    return (said.json as { stacks: readonly { id: string }[] }).stacks.map(({ id }) => id)
  }
  expect(await listOf()).toEqual(['default'])
  expect((await server.ask('/v1/stacks/personal/list')).status).toBe(404)
  const agent = await server.token('agent', { labels: ['ModelDerived'], stacks: ['personal'] })
  expect((await server.ask('/v1/stacks/personal/list', { token: agent })).status).toBe(404)
  const mine = await server.token('laptop')
  expect(await listOf(mine)).toContain('personal') // control
  expect((await server.ask('/v1/stacks/personal/list', { token: mine })).status).toBe(200)
  const mcp = await server.ask('/mcp/personal', { token: mine, body: {} })
  expect(mcp.status).toBe(403)
})

test('a person names it in a terminal that no agent opened', async () => {
  const { desk, shop, user } = await ground()
  const said = await desk.call(['note', 'Sneaked in', '--stack', 'personal'], {
    folder: shop,
    terminal: AT_TERMINAL,
    env: { HOME: user, CLAUDECODE: '1' },
  })
  expect(said.code).toBe(1)
})

test('no program copies, moves or cleans the files of the personal stack; a person may', async () => {
  const { root, shop, person, program } = await ground()
  const copy = path.join(root, 'copy.db')
  for (const args of [
    ['stack', 'backup', copy],
    ['stack', 'vacuum'],
  ]) {
    expect((await program(shop, [...args, '--stack', 'personal'])).code, args[0]).not.toBe(0)
  }
  expect(existsSync(copy)).toBe(false)
  expect((await person(shop, 'stack', 'vacuum', '--stack', 'personal')).code).toBe(0)
})
