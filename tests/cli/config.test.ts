import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SETTING_NAMES, SETTINGS } from '../../src/operations/settings.ts'
import { type CallOptions, Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

interface Row {
  readonly name: string
  readonly value: unknown
  readonly from: string
  readonly where: string | null
  readonly line: number | null
}

/** A home and a project folder, each with the file it is given. */
function places(files: {
  readonly home?: string
  readonly project?: string
  readonly ts?: string
}) {
  const home = scratch()
  const folder = path.join(scratch(), 'project')
  mkdirSync(folder, { recursive: true })
  if (files.home) writeFileSync(path.join(home, 'muniment.config.json'), files.home)
  if (files.project) writeFileSync(path.join(folder, 'muniment.config.json'), files.project)
  if (files.ts) writeFileSync(path.join(folder, 'muniment.config.ts'), files.ts)
  const desk = new Desk(home)
  const call = (args: readonly string[], options: CallOptions = {}) =>
    desk.call(args, { folder, ...options })
  const rowOf = async (name: string, options: CallOptions & { args?: readonly string[] } = {}) => {
    const { args = [], ...rest } = options
    const said = await call(['stack', 'config', '--json', ...args], rest)
    const { settings } = said.json() as { settings: readonly Row[] }
    return settings.find((row) => row.name === name)
  }
  const agree = () => desk.person(['stacks', 'agree'], { folder })
  return { home, folder, desk, call, rowOf, agree }
}

test('an option wins over the environment, that over a file, and that over what is usual', async () => {
  const { folder, home, rowOf, agree } = places({
    home: '{ "stack": "at-home", "model": "home-model" }',
    project: '{\n  "stack": "of-project"\n}',
  })
  const env = { MUNIMENT_STACK: 'of-shell' }
  expect(await rowOf('stack', { env, args: ['--stack', 'typed'] })).toMatchObject({
    value: 'typed',
    from: 'flag',
    where: '--stack',
  })
  expect(await rowOf('stack', { env })).toMatchObject({
    value: 'of-shell',
    from: 'environment',
    where: '$MUNIMENT_STACK',
  })
  expect(await rowOf('stack')).toMatchObject({ value: 'at-home' }) // nobody agreed yet
  expect((await agree()).code).toBe(0)
  expect(await rowOf('stack')).toMatchObject({
    value: 'of-project',
    from: 'file',
    where: path.join(folder, 'muniment.config.json'),
    line: 2,
  })
  expect(await rowOf('model')).toMatchObject({
    value: 'home-model',
    where: path.join(home, 'muniment.config.json'),
  })
  expect(await rowOf('serve.port')).toMatchObject({ value: 7_077, from: 'default', where: null })
})

test('what a file says is what commands do', async () => {
  const { desk, home, call, agree } = places({ project: '{ "stack": "notebook" }' })
  await agree()
  expect((await call(['note', 'Deploys are on Tuesdays', '--json'])).code).toBe(0)
  expect([...desk.stores.keys()].map((key) => key.replace(home, '~'))).toContain('~\nnotebook')
})

test('secrets are not shown, in a page or to a program', async () => {
  const { call } = places({ home: '{ "store": "postgres://me:hunter2@db/memories?sslkey=s3" }' })
  const env = { MUNIMENT_TOKEN: 'mun_veryverysecret', MUNIMENT_EMBEDDER_KEY: 'k-abc' }
  for (const args of [
    ['stack', 'config'],
    ['stack', 'config', '--json'],
  ]) {
    const { out, code } = await call(args, { env })
    expect(code).toBe(0)
    expect(out).toContain('postgres://me:***@db/memories')
    for (const secret of ['hunter2', 's3', 'verysecret', 'k-abc']) expect(out).not.toContain(secret)
  }
})

test('a bad file is named with its field and its line, all fields at once', async () => {
  const { call } = places({
    home: '{\n  "stack": "work",\n  "serve": {\n    "port": "soon",\n    "colour": 1\n  },\n  "token": "mun_x"\n}',
  })
  const said = await call(['stack', 'config', '--json'])
  expect(said.code).toBe(2)
  const { error } = said.json() as { error: { code: string; message: string; issues: Row[] } }
  expect(error.code).toBe('invalid_input')
  expect(error.message).toMatch(
    /muniment\.config\.json: not valid: serve\.port, serve\.colour, token\.$/,
  )
  const issues = error.issues as unknown as readonly { path: string; message: string }[]
  expect(issues[0]?.message).toMatch(/whole number from 0 to 65535 \(.*muniment\.config\.json:4\)/)
  expect(issues[1]?.message).toMatch(/is not a setting \(.*:5\)/)
  expect(issues[2]?.message).toMatch(/\$MUNIMENT_TOKEN \(.*:7\)/)
})

test('JSON that is none is named with its line', async () => {
  const { call } = places({ home: '{\n  "stack": "work",\n}' })
  const said = await call(['stack', 'config', '--json'])
  expect(said.json()).toMatchObject({ error: { code: 'invalid_json' } })
  expect(said.out).toMatch(/muniment\.config\.json:3 is no JSON/)
})

test('a bad variable is named', async () => {
  const said = await places({}).call(['stack', 'config', '--json'], {
    env: { MUNIMENT_PORT: 'soon' },
  })
  expect(said.code).toBe(2)
  expect(said.out).toContain('$MUNIMENT_PORT is a whole number')
})

test('a file that lies in the folder decides nothing of where memory goes, and does not run', async () => {
  const moving = places({ project: '{ "store": "postgres://elsewhere/x" }' })
  const said = await moving.call(['note', 'Something private', '--json'])
  expect(said.json()).toMatchObject({ error: { code: 'scope' } })
  expect([...moving.desk.stores.keys()]).toEqual([])
  const program = 'globalThis.hasRun = true\nexport default { stack: "work" }\n'
  const running = places({ ts: program })
  expect((await running.call(['stack', 'config', '--json'])).json()).toMatchObject({
    error: { code: 'scope' },
  })
  expect(Object.hasOwn(globalThis, 'hasRun')).toBe(false)
})

test('a file that was chosen may be TypeScript, and says everything', async () => {
  const ts =
    "interface Mine { port: number }\nconst serve: Mine = { port: 8_080 }\nexport default { home: './data', serve }\n"
  const { rowOf, folder } = places({ ts })
  const chosen = { env: { MUNIMENT_HOME: '' }, args: ['--config', 'muniment.config.ts'] }
  expect(await rowOf('serve.port', chosen)).toMatchObject({ value: 8_080, from: 'file' })
  expect(await rowOf('home', chosen)).toMatchObject({ value: path.join(folder, 'data') })
  const file = path.join(folder, 'muniment.config.ts')
  const named = { env: { MUNIMENT_CONFIG: file } }
  expect(await rowOf('serve.port', named)).toMatchObject({ where: file })
})

test('TypeScript that cannot be loaded, or exports nothing, says so', async () => {
  for (const [ts, why] of [
    ['export default {\n  stack: \n}\n', /cannot be loaded/],
    ['throw new Error("no database")\n', /no database/],
    ['export const stack = "work"\n', /holds no settings/],
  ] as const) {
    const said = await places({ ts }).call([
      'stack',
      'config',
      '--config',
      'muniment.config.ts',
      '--json',
    ])
    expect(said.code).toBe(2)
    expect(said.out).toMatch(why)
  }
})

test('a pattern that a text could make slow is refused by name', async () => {
  const { call } = places({ home: '{ "redact": [{ "name": "badge", "pattern": "(a+)+b" }] }' })
  expect((await call(['stack', 'config', '--json'])).out).toMatch(/pattern “badge”.*without an end/)
})

test('every setting can be set by a variable, and the page of help names each', async () => {
  const { out } = await places({}).call(['help', 'environment'])
  for (const name of SETTING_NAMES) expect(out).toContain(SETTINGS[name].variable)
})

test('a hook with bad settings says so and stops nobody', async () => {
  const { call } = places({ home: '{ "serve": 3 }' })
  const said = await call(['hook', 'prompt'], { stdin: '{}' })
  expect(said.code).toBe(0)
  expect(said.err).toContain('muniment hook:')
})
