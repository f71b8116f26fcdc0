import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { withRaw } from '../sqlite/support/raw.ts'
import { importsOf } from '../support/imports.ts'
import { readProjectFile } from '../support/project-files.ts'
import { muniment } from './support/program.ts'
import { scratch } from './support/scratch.ts'

const pkg = JSON.parse(readProjectFile('package.json')) as { version: string } // our own manifest

describe('the program itself', () => {
  test('a note, a belief on it, and why, each in a process of its own', () => {
    const home = scratch()
    const run = (...args: readonly string[]) => muniment(args, { home })
    const note = run('note', 'Two deploys failed on locks')
    expect(note).toMatchObject({ code: 0, err: '' })
    const [, ref = ''] = /Saved (note:[0-9a-f]{8})/.exec(note.out) ?? []
    expect(run('belief', 'Migrations go first', '--from', ref).code).toBe(0)
    const listed = JSON.parse(run('list', 'belief', '--json').out) as readonly { id: string }[]
    const why = run('why', listed[0]?.id.slice(-8) ?? '')
    expect(why.out).toContain('“Two deploys failed on locks”')
    expect(run('why', listed[0]?.id ?? '', '-v').out).toContain('Let in by the rule admit')
    expect(run('audit').out).toMatch(/^ok {2}\d entries recomputed/)
    expect(run('doctor').code).toBe(0)
  })

  test('a rewording is linked to what the model wrote in an earlier process', () => {
    const home = scratch()
    const said = muniment(['note', 'Payments may be merged without a review'], { home })
    const again = muniment(['note', 'A review is not needed to merge payments', '--json'], { home })
    const { reasons, message } = JSON.parse(again.out) as { reasons: unknown; message: string }
    expect(reasons).toEqual(['rewording'])
    const [, ref = ''] = /Saved (note:[0-9a-f]{8})/.exec(said.out) ?? []
    expect(message).toContain(ref.slice('note:'.length))
  })

  test('what it keeps is for its owner alone, and homes do not see one another', () => {
    const [one, other] = [scratch(), scratch()]
    muniment(['memory', 'raw', 'only here'], { home: one })
    const file = path.join(one, 'stacks', 'default.db')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(muniment(['list'], { home: other })).toMatchObject({ code: 3 })
    expect(readdirSync(other)).toEqual([])
    expect(muniment(['list', '--home', one], { home: other }).out).toContain('only here')
    const stack = muniment(['memory', 'raw', 'apart', '--stack', 'work'], { home: one })
    expect(stack.code).toBe(0)
    expect(muniment(['list', '--stack', 'work'], { home: one }).out).not.toContain('only here')
  })

  test('piped it has no colour, reads stdin, and its words are a model’s', () => {
    const home = scratch()
    const ran = muniment(['memory', 'raw', '-'], { home, stdin: 'from a pipe\n' })
    expect(ran.out).not.toContain('\u001b')
    expect(ran.out).toContain('because stdin is not a terminal')
    expect(muniment(['list'], { home }).out).toMatch(/from a pipe\n$/)
  })

  test('an agent’s shell is named in the write', () => {
    const ran = muniment(['note', 'from an agent'], { home: scratch(), env: { CLAUDECODE: '1' } })
    expect(ran.out).toContain('because CLAUDECODE is set in this shell')
  })

  test('failures go to stderr with their code, and with --json to stdout', () => {
    const home = scratch()
    expect(muniment(['beleif', 'x'], { home })).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('muniment belief'),
    })
    const ran = muniment(['belief', 'Small changes ship faster', '--json'], { home })
    expect(ran).toMatchObject({ code: 1, err: '' })
    expect(JSON.parse(ran.out)).toMatchObject({ error: { code: 'refused' } })
    expect(muniment(['trust', 'token', 'create'], { home })).toMatchObject({ code: 1, out: '' })
  })

  test('a backup is a stack of its own', () => {
    const [home, elsewhere] = [scratch(), scratch()]
    muniment(['memory', 'raw', 'worth keeping'], { home })
    mkdirSync(path.join(elsewhere, 'stacks'))
    const file = path.join(elsewhere, 'stacks', 'default.db')
    expect(muniment(['stack', 'backup', file], { home }).code).toBe(0)
    expect(muniment(['list', '--home', elsewhere], { home }).out).toContain('worth keeping')
    expect(muniment(['audit', '--home', elsewhere], { home }).code).toBe(0)
  })

  test('doctor names what is wrong with the file itself, which no audit sees', () => {
    const home = scratch()
    muniment(['memory', 'raw', 'worth keeping'], { home })
    const integrity = (args: readonly string[]) => {
      const { code, out } = muniment(['doctor', ...args], { home })
      return { code, line: out.split('\n').find((line) => line.includes('integrity')) }
    }
    expect(integrity([])).toEqual({ code: 0, line: expect.stringMatching(/^ok +integrity/) })
    withRaw(path.join(home, 'stacks', 'default.db'), (db) =>
      db.exec('DROP INDEX log_by_ref; DROP TRIGGER log_takes_no_update'),
    )
    expect(integrity([])).toEqual({
      code: 5,
      line: expect.stringMatching(/^bad +integrity +.* is not as it was made; and 1 more/),
    })
    const { out } = muniment(['doctor', '--json'], { home })
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      damage: expect.arrayContaining(['log_by_ref is not as it was made']),
    })
  })

  test('vacuum leaves the stack as it was', () => {
    const home = scratch()
    muniment(['memory', 'raw', 'worth keeping'], { home })
    const ran = muniment(['stack', 'vacuum', '--json'], { home })
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(ran.out)).toMatchObject({ stack: 'default', after: expect.any(Number) })
    expect(muniment(['audit'], { home }).code).toBe(0)
    expect(muniment(['stack', 'vacuum', '--stack', 'never'], { home }).code).toBe(3)
  })

  test('a stack that is no database is trouble with the store, not a crash', () => {
    const home = scratch()
    muniment(['memory', 'raw', 'soon gone'], { home })
    expect(muniment(['doctor', '--json'], { home }).code).toBe(0)
    writeFileSync(
      path.join(home, 'stacks', 'default.db'),
      'no database at all, and longer than one',
    )
    for (const args of [['list'], ['note', 'x'], ['doctor']]) {
      const ran = muniment(args, { home })
      expect({ args, code: ran.code }).toEqual({ args, code: 5 })
      expect(ran.out + ran.err).not.toContain('    at ')
    }
  })
})

describe('starting', () => {
  test('--version and help load no schema, no store and no engine', () => {
    const home = scratch()
    for (const args of [['--version'], ['--help'], ['help', 'exit-codes'], []]) {
      const ran = muniment(args, { home, node: ['--import', LOADED] })
      expect(ran.code).toBe(0)
      const loaded = ran.err.split('\n').filter((url) => url.startsWith('file:'))
      expect(loaded.length).toBeGreaterThan(0)
      const heavy = /zod|\/(?:stack|gate|stores|protocol)\/|\/compose\/(?!usual-home)/
      expect(loaded.filter((url) => heavy.test(url))).toEqual([])
    }
    expect(muniment(['--version'], { home }).out).toBe(`muniment ${pkg.version}\n`)
    expect(JSON.parse(muniment(['--version', '--json'], { home }).out)).toEqual({
      version: pkg.version,
    })
  })

  test('an older Node is told what to do, before anything is imported', () => {
    const ran = muniment(['--version'], { home: scratch(), node: ['--import', OLD_NODE] })
    expect(ran).toMatchObject({ code: 2, out: '' })
    expect(ran.err).toContain('needs Node 22.16 or later; this is Node 20.1.0')
    const text = readProjectFile('src/doors/cli/bin.ts')
    const imports = importsOf({ path: 'src/doors/cli/bin.ts', text }).filter(
      ({ typeOnly }) => !typeOnly,
    )
    expect(imports.length).toBeGreaterThan(0)
    expect(text).not.toMatch(/^import (?!type)/m)
    expect(text).not.toMatch(/\?\.|\?\?|^await /m)
  })
})

const module = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`

const OLD_NODE = module(
  `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })`,
)

const LOADED = module(`
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, next) {
      process.stderr.write(url + '\\n')
      return next(url, context)
    },
  })
`)
