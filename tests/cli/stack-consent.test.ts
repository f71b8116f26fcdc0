import { mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { AT_TERMINAL, type CallOptions, Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

/** A project that came with a settings file, and the memories of another stack. */
async function ground(settings: object = { stack: 'work' }) {
  const root = realpathSync(scratch())
  const home = path.join(root, 'home')
  const folder = path.join(root, 'cloned')
  mkdirSync(folder)
  const file = path.join(folder, 'muniment.config.json')
  const write = (value: object): void => writeFileSync(file, JSON.stringify(value))
  write(settings)
  const desk = new Desk(home)
  const user = path.join(root, 'user')
  const call = (args: readonly string[], options: CallOptions = {}) =>
    desk.call(args, { folder, env: { HOME: user }, ...options })
  const person = (...args: readonly string[]) =>
    call(args, { terminal: AT_TERMINAL, env: { NO_COLOR: '1', HOME: user } })
  for (const stack of ['work', 'other']) {
    await person('note', `The ${stack} stack knows the salary`, '--stack', stack)
  }
  await person('note', 'The default stack knows the weather', '--stack', 'default')
  const search = async () => {
    const said = await call(['search', 'knows', '--json'])
    return JSON.stringify(said.json())
  }
  return { root, home, folder, file, write, call, person, search }
}

test('a stack that a file names is ignored until a person agrees, and every call says so', async () => {
  const { call, person, search, file } = await ground()
  expect(await search()).not.toContain('salary')
  expect(await search()).toContain('weather') // control: the call itself works
  const said = await call(['search', 'knows', '--json'])
  expect(said.err).toContain(`${file} names the stack “work”, and you have not agreed`)
  expect(said.err).toContain('This call uses “default”')
  expect(said.err).toContain('muniment stacks agree')
  expect((await person('stacks', 'agree')).out).toContain('“work”')
  expect(await search()).toContain('The work stack knows the salary')
  expect((await call(['search', 'knows', '--json'])).err).toBe('')
  expect((await person('stacks', 'agree')).out).toContain('You agreed already')
})

test('a program or a model cannot agree, whatever it shows', async () => {
  const { call, person, search } = await ground()
  const created = await person('trust', 'token', 'create', 'laptop', '--json')
  const { token } = created.json() as { token: string }
  for (const options of [
    {},
    { env: { MUNIMENT_TOKEN: token } },
    { env: { CLAUDECODE: '1' }, terminal: AT_TERMINAL },
  ]) {
    const said = await call(['stacks', 'agree'], options)
    expect(said.code).toBe(1)
    expect(said.err).toContain('A person agrees')
  }
  expect(await search()).not.toContain('salary')
  expect((await person('stacks', 'agree')).code).toBe(0) // control
  expect(await search()).toContain('salary')
})

test('another stack in the file, another place of the file, or taking it back: asked again', async () => {
  const { call, person, search, write, folder, root } = await ground()
  await person('stacks', 'agree')
  write({ stack: 'work', log: 'error' })
  expect(await search()).toContain('work stack') // the choice is the same
  write({ stack: 'other' })
  expect(await search()).not.toContain('salary')
  expect((await call(['list', '--json'])).err).toContain('names the stack “other”')
  write({ stack: 'work' })
  expect(await search()).toContain('work stack')
  const moved = path.join(root, 'moved')
  renameSync(folder, moved)
  const there = await call(['search', 'knows', '--json'], { folder: moved })
  expect(JSON.stringify(there.json())).not.toContain('salary')
  expect(there.err).toContain('you have not agreed')
  renameSync(moved, folder)
  expect((await person('stacks', 'agree', '--undo')).code).toBe(0)
  expect(await search()).not.toContain('salary')
})

test('what a person names for this call needs no consent, and the doctor tells of the file', async () => {
  const { call } = await ground()
  const said = await call(['search', 'knows', '--stack', 'other', '--json'])
  expect(said.out).toContain('other stack')
  expect(said.err).toBe('')
  const chosen = await call(['search', 'knows', '--config', 'muniment.config.json', '--json'])
  expect(chosen.out).toContain('work stack')
  expect((await call(['doctor'])).out).toMatch(
    /warning +used +“default” is used here.*names the stack “work”.*muniment stacks agree/,
  )
})
