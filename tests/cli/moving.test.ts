import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { memoryKeyring, memorySigner } from '../../src/compose/keyring.ts'
import type { OpenOptions } from '../../src/compose/open-stack.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { Desk } from './support/fake-host.ts'
import { muniment } from './support/program.ts'
import { scratch } from './support/scratch.ts'

async function stocked(): Promise<Desk> {
  const desk = new Desk(scratch())
  await desk.person(['note', 'The table has forty million rows'])
  await desk.call(['belief', 'Mornings are quiet', '--because', 'few deploy before noon'])
  return desk
}

describe('dump', () => {
  test('is markdown to read, JSON for programs, and leaves out what it is told to', async () => {
    const desk = await stocked()
    const { out } = await desk.person(['stack', 'dump'])
    expect(out).toMatch(/^# Memories\n/)
    expect(out).toContain('## raw (2)')
    expect((await desk.person(['stack', 'dump', '--no-raw'])).out).not.toContain('## raw')
    const whole = (await desk.person(['stack', 'dump', '--json'])).json() as { memories: unknown[] }
    expect(whole).toMatchObject({ format: 'muniment/dump/1', stack: 'default' })
    expect(whole.memories).toHaveLength(5)
    expect(JSON.parse((await desk.person(['stack', 'dump', '--format', 'json'])).out)).toEqual(
      whole,
    )
  })
})

describe('export and import', () => {
  test('a file is private, new, and of the format its name says', async () => {
    const desk = await stocked()
    const folder = scratch()
    const file = path.join(folder, 'memories.json')
    const said = await desk.person(['stack', 'export', file])
    expect(said.out).toContain('as json to')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await desk.person(['stack', 'export', file])).toMatchObject({ code: 2 })
    expect(await desk.person(['stack', 'export'])).toMatchObject({ code: 2 })
    await desk.person(['stack', 'export', path.join(folder, 'memories.md')])
    expect(readFileSync(path.join(folder, 'memories.md'), 'utf8')).toMatch(/^# Memories/)
    const bundle = path.join(folder, 'whole.bundle')
    expect((await desk.person(['stack', 'export', bundle, '--json'])).json()).toMatchObject({
      format: 'bundle',
    })
  })

  test('a program is told which copy brings a stack back whole', async () => {
    const desk = await stocked()
    const said = await desk.call(['stack', 'export', path.join(scratch(), 'memories.json')])
    expect(said.out).toContain('Not sealed')
    expect(said.out).toContain('muniment stack backup, or an export by a person')
    const byPerson = await desk.person(['stack', 'export', path.join(scratch(), 'memories.json')])
    expect(byPerson.out).not.toContain('an export by a person')
  })

  test('another stack gets the words at tier 1, or with a person’s word as they were', async () => {
    const desk = await stocked()
    const file = path.join(scratch(), 'memories.json')
    await desk.person(['stack', 'export', file])
    const some = await desk.person(['stack', 'import', file, '--stack', 'copy'])
    expect(some).toMatchObject({ code: 0 })
    expect(some.out).toMatch(/^Imported as a model’s words: labelled ModelDerived, tier 1 at most/)
    expect(some.out).toContain('5 memories in the file: 5 written,')
    expect(some.out).toContain('--vouch')
    const said = await desk.person(['list', 'note', '--stack', 'copy'])
    expect(said.out).not.toContain('a person')
    expect(await desk.call(['stack', 'import', file, '--stack', 'other', '--vouch'])).toMatchObject(
      {
        code: 1,
        out: '',
      },
    )
    const all = await desk.person(['stack', 'import', file, '--stack', 'other', '--vouch'])
    expect(all.out).toContain('5 written, 0 here already, 0 known here before, 0 refused.')
    expect(all.err).toContain('5 of 5 memories\n')
    const again = await desk.person([
      'stack',
      'import',
      file,
      '--stack',
      'other',
      '--vouch',
      '--json',
    ])
    expect(again).toMatchObject({ code: 0, err: '' })
    expect(again.json()).toMatchObject({ as: 'importer', total: 5, unchanged: 5, refused: [] })
    expect((await desk.person(['list', 'note', '--stack', 'other'])).out).toContain('a person')
  })

  test('another home gets a live belief whose source was forgotten, and the summary says so', async () => {
    const desk = new Desk(scratch())
    const note = (await desk.person(['note', 'Deploys failed on Friday', '--json'])).json()
    const { ref } = note as { ref: string }
    await desk.person(['belief', 'Fridays are bad for deploys', '--from', ref])
    await desk.person(['forget', ref, 'wrong day'])
    const file = path.join(scratch(), 'memories.json')
    await desk.person(['stack', 'export', file])

    const other = new Desk(scratch())
    const said = await other.person(['stack', 'import', file])

    expect(said.out).toContain('1 source is not in the file')
    expect((await other.person(['list', 'belief'])).out).toContain('Fridays are bad for deploys')
  })

  /** Two homes, the second empty; the keys lie outside the stacks of both. */
  async function twoHomes(keys: Partial<OpenOptions>) {
    const from = new Desk(scratch(), keys)
    await from.person(['note', 'The table has forty million rows'])
    await from.person(['belief', 'Mornings are quiet', '--because', 'few deploy before noon'])
    const [old] = (await from.person(['list', 'belief', '--json'])).json() as { ref: string }[]
    await from.person([
      'claims',
      'supersede',
      String(old?.ref),
      'Evenings are quiet',
      '--because',
      'now',
    ])
    await from.person(['claim', 'user', 'city', 'Paris'])
    await from.person(['claim', 'user', 'city', 'Rome'])
    const file = path.join(scratch(), 'x.json')
    expect((await from.person(['stack', 'export', file])).out).toContain('Sealed')
    return { from, file }
  }

  const ASKED = [
    ['list', '--all', '--json'],
    ['ask', 'user', 'city', '--json'],
    ['audit', '--json'],
  ]

  test('an own export comes back whole where the keys are, with one plain summary', async () => {
    const keys = { keyring: memoryKeyring(), signer: memorySigner(), ...fakeWorld(1) }
    const { from, file } = await twoHomes(keys)
    const to = new Desk(scratch(), keys)
    const said = await to.person(['stack', 'import', file])
    expect(said).toMatchObject({ code: 0 })
    expect(said.out).toMatch(/^Brought back whole: your own export, \d+ memories as they were\./)
    for (const question of ASKED) {
      expect((await to.person(question)).json()).toEqual((await from.person(question)).json())
    }
  })

  test('without the keys, or with one letter changed, it comes in as the importer’s words', async () => {
    const keys = { keyring: memoryKeyring(), signer: memorySigner() }
    const { file } = await twoHomes(keys)
    const stranger = await new Desk(scratch()).person(['stack', 'import', file])
    expect(stranger).toMatchObject({ code: 0 })
    expect(stranger.out).toMatch(/^Imported as a model’s words.*keys\/[0-9a-f]{32}/)
    const text = readFileSync(file, 'utf8')
    const edited = path.join(scratch(), 'edited.json')
    writeFileSync(edited, text.replace('forty million', 'fifty million'))
    const to = new Desk(scratch(), keys)
    expect((await to.person(['stack', 'import', edited])).out).toMatch(
      /^Imported as a model’s words.*changed/,
    )
    const tiers = (await to.person(['list', '--all', '--json'])).json() as { tier: number }[]
    expect(Math.max(...tiers.map(({ tier }) => tier))).toBe(1)
  })

  test('what is no dump is a mistake, and nothing is written', async () => {
    const desk = await stocked()
    const read = async (stdin: string) =>
      (await desk.person(['stack', 'import', '-'], { stdin })).code
    expect(await read('{')).toBe(2)
    expect(await read('[]')).toBe(2)
    expect(await read('{"format":"other","stack":"x","memories":[]}')).toBe(2)
    expect(await desk.person(['stack', 'import', '/nowhere.json'])).toMatchObject({ code: 2 })
  })
})

describe('restore', () => {
  test('brings the same head back where nothing was written, for a person only', async () => {
    const desk = await stocked()
    const file = path.join(scratch(), 'whole.bundle')
    await desk.person(['stack', 'export', file])
    const { head } = (await desk.person(['audit', '--json'])).json() as { head: unknown }
    const elsewhere = scratch()
    const to = ['stack', 'restore', file, '--home', elsewhere]
    const refused = await desk.call(to)
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toContain('muniment stack import')
    expect((await desk.person([...to, '--json'])).json()).toEqual({
      stack: 'default',
      memories: 5,
      head,
      audit: true,
    })
    const twice = await desk.person(to)
    expect(twice).toMatchObject({ code: 1 })
    expect(twice.err).toContain('import the memories instead')
    expect(await desk.person(['stack', 'restore', file, '--stack', 'other'])).toMatchObject({
      code: 1,
    })
    expect(await desk.person(['stack', 'restore', `${file}x`, '--stack', 'z'])).toMatchObject({
      code: 3,
    })
    expect(await desk.person(['stack', 'restore'])).toMatchObject({ code: 2 })
  })

  test('rebuild folds the rows anew, and the answers are the same', async () => {
    const desk = await stocked()
    const before = (await desk.person(['list', '--all', '--json'])).json()
    expect((await desk.person(['stack', 'rebuild'])).out).toMatch(
      /^Rebuilt “default”: 5 memories from/,
    )
    expect((await desk.person(['list', '--all', '--json'])).json()).toEqual(before)
  })

  test('works on real files, where a program without a token restores nothing', () => {
    const home = scratch()
    const run = (...args: readonly string[]) => muniment(args, { home })
    run('note', 'worth keeping')
    const bundle = path.join(home, 'whole.bundle')
    expect(run('stack', 'export', bundle)).toMatchObject({ code: 0, err: '' })
    expect(run('stack', 'restore', bundle, '--home', path.join(home, 'other')).code).toBe(1)
    expect(existsSync(path.join(home, 'other'))).toBe(false)
    expect(run('stack', 'rebuild')).toMatchObject({ code: 0 })
    expect(run('audit').code).toBe(0)
  })
})
