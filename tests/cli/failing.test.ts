import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ERROR_CODES, MunimentError } from '../../src/domain/errors.ts'
import { EXIT, exitOf } from '../../src/doors/cli/exit-codes.ts'
import { TOPICS } from '../../src/doors/cli/topics.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

/** A stack with one note in it. */
async function desk(): Promise<Desk> {
  const made = new Desk(scratch())
  await made.person(['note', 'The table has forty million rows'])
  return made
}

test('an option that nobody knows is no call for help', async () => {
  const desk = new Desk(scratch())
  expect(await desk.person(['--nope'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('“--nope”'),
  })
  expect(await desk.person(['--home', desk.home])).toMatchObject({ code: 0 })
  expect(await desk.person(['--help', '--nope'])).toMatchObject({ code: 0 })
})

describe('failing', () => {
  test.each<[string, readonly string[], number, RegExp]>([
    ['an unknown command', ['epsiode'], 2, /Did you mean: muniment memory episode\?/],
    ['a topic for a command', ['label'], 2, /muniment help labels/],
    ['a short word with two slips', ['nto'], 2, /Did you mean: muniment note\?/],
    ['a plural', ['notes'], 2, /Did you mean: muniment note\?/],
    ['an unknown option', ['note', 'x', '--lessen', 'y'], 2, /note has no option --lessen/],
    [
      'a misspelt option',
      ['memory', 'episode', 'x', 'y', '--lessn', 'z'],
      2,
      /Did you mean --lesson\?/,
    ],
    ['text that begins with a dash', ['note', '-5 degrees'], 2, /goes after “--”/],
    [
      'a missing argument',
      ['memory', 'episode', 'x'],
      2,
      /episode needs <outcome>[\s\S]*<objective> <outcome>/,
    ],
    ['words without quotation marks', ['note', 'two', 'words'], 2, /quotation marks/],
    ['an option without its value', ['note', 'x', '--because'], 2, /--because needs a value/],
    ['an option that ate the next', ['note', 'x', '--because', '--tag', 'y'], 2, /--because needs/],
    ['an option given twice', ['note', 'x', '--context', 'a', '--context', 'b'], 2, /given twice/],
    ['a word that is no choice', ['note', 'x', '--type', 'poem'], 2, /expected one of decision/],
    ['a number that is none', ['note', 'x', '--confidence', 'high'], 2, /expected a number/],
    [
      'a number that is none, by the name that was typed and once',
      ['agent', 'load', '--budget', 'abc'],
      2,
      /^muniment: agent load: not valid: --budget\.\n {2}--budget {2}expected a number\n/,
    ],
    [
      'a number too small, by the name that help shows',
      ['agent', 'load', '--budget', '-5'],
      2,
      /--budget {2}must be at least/,
    ],
    ['a number out of range', ['note', 'x', '--confidence', '2'], 2, /confidence/],
    ['a time that is none', ['note', 'x', '--event-time', 'yesterday'], 2, /eventTime/],
    ['a ref that is none', ['why', 'what?'], 2, /muniment list/],
    ['a ref that nothing has', ['why', 'belief:ffffffff'], 3, /muniment list/],
    ['a belief without a source', ['belief', 'Small changes ship faster'], 1, /--because "/],
    [
      'a value without a source',
      ['memory', 'value', 'Care', 'Leave it safer'],
      1,
      /muniment help belief/,
    ],
    ['another word for a command', ['reject', 'x'], 2, /Did you mean: muniment review/],
    ['noise', ['belief', 'x', '--because', 'y'], 1, /one whole sentence/],
    ['a stack that is not there', ['list', '--stack', 'other'], 3, /muniment init --stack other/],
    ['a stack id that is none', ['list', '--stack', '../x'], 2, /stack id/],
    ['a common option given twice', ['list', '--stack', 'a', '--stack', 'b'], 2, /given twice/],
    ['help on a member of every object', ['help', 'constructor'], 2, /no command “constructor”/],
    ['a command that is a member of every object', ['toString'], 2, /no command/],
    ['a common option without value', ['list', '--stack'], 2, /--stack needs a value/],
    ['answering what is no ref', ['review', 'note:', 'reject'], 2, /kind:id/],
  ])('%s says what to type next', async (_, args, code, says) => {
    const made = await desk()
    const said = await made.person(args)
    expect({ code: said.code, out: said.out }).toEqual({ code, out: '' })
    expect(said.err).toMatch(/^muniment: /)
    expect(said.err).toMatch(says)
    const json = await made.person([...args.slice(0, 1), '--json', ...args.slice(1)])
    expect(json).toMatchObject({ code, err: '' })
    expect(json.json()).toEqual({
      error: {
        code: expect.stringMatching(/^[a-z_]+$/),
        message: expect.any(String),
        hint: expect.any(String),
        issues: expect.any(Array),
      },
    })
  })

  test('what there is, is said once', async () => {
    const made = await desk()
    const said = await made.person(['forget', 'raw:0000'])
    expect(said).toMatchObject({ code: 3 })
    expect(said.err.match(/What there is: muniment list/g)).toHaveLength(1)
  })

  test('somebody else’s JSON is no dump, and no paper that could be checked', async () => {
    const made = await desk()
    await made.person(['note', 'x'])
    const file = path.join(scratch(), 'theirs.json')
    writeFileSync(file, JSON.stringify({ name: 'theirs', peerDependenciesMeta: {} }))
    const brought = await made.person(['stack', 'import', file])
    expect(brought).toMatchObject({ code: 2, out: '' })
    expect(brought.err).toContain('theirs.json is no JSON dump: it names no format.')
    expect(brought.err).not.toContain('peer')
    const checked = await made.person(['ledger', 'check', file])
    expect(checked).toMatchObject({ code: 4, err: '' })
    expect(checked.out).toMatch(/^DOES NOT HOLD {2}This is no paper of a stack\.\n/)
    expect((await made.person(['ledger', 'check', file, '--json'])).json()).toMatchObject({
      paper: null,
    })
  })

  test('a text that was piped and not asked for is pointed out', async () => {
    const made = await desk()
    const said = await made.call(['note'], { stdin: 'from a pipe' })
    expect(said).toMatchObject({ code: 2 })
    expect(said.err).toContain('Or from stdin, which “-” stands for: muniment note -')
    expect((await made.person(['note'])).err).not.toContain('stdin')
  })

  test('the hint after a missing source names a kind that there is something of', async () => {
    const made = await desk()
    const hint = async () => (await made.person(['belief', 'Small changes ship faster'])).err
    expect(await hint()).toContain('--from note:1a2b3c4d (see: muniment list note --all)')
    await made.person(['memory', 'episode', 'deploy v2', 'failed'])
    expect(await hint()).toContain('--from episode:1a2b3c4d')
    const empty = await new Desk(scratch()).person(['belief', 'Small changes ship faster'])
    expect(empty.err).toContain('There is none yet; how to write one: muniment help')
  })

  test('every bad field is named, not only the first', async () => {
    const made = await desk()
    const said = await made.person(['agent', 'epoch', '0', 'First', 'yesterday', '--json'])
    expect(said.json()).toMatchObject({
      error: { issues: [{ path: 'epochNumber' }, { path: 'startedAt' }] },
    })
  })

  test('a refusal and a read change nothing that is kept', async () => {
    const made = await desk()
    const before = (await made.call(['stack', 'stats', '--json'])).json()
    await made.person(['belief', 'Small changes ship faster'])
    expect((await made.call(['stack', 'stats', '--json'])).json()).toEqual(before)
  })

  test('only a person changes the state; anyone may look', async () => {
    const made = await desk()
    expect((await made.call(['stack', 'state'])).out).toBe('ACTIVE\n')
    const refused = await made.call(['stack', 'state', 'MAINTENANCE'])
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.err).toContain('stdin is not a terminal')
    expect((await made.person(['stack', 'state', 'maintenance'])).out).toMatch(
      /^MAINTENANCE, since entry/,
    )
    const write = await made.person(['note', 'too late'])
    expect(write).toMatchObject({ code: 1 })
    expect(write.err).toContain('muniment stack state ACTIVE')
    expect((await made.person(['stack', 'state', 'active'])).code).toBe(0)
    expect((await made.person(['note', 'in time'])).code).toBe(0)
  })

  test('a person’s no to a quarantined belief keeps the same words out', async () => {
    const made = await desk()
    const again = () =>
      made.call(['belief', 'The moon is a lamp', '--because', 'it said so', '--json'])
    const dispositions: unknown[] = []
    for (let times = 0; times < 12; times += 1) {
      const { disposition, ref } = (await again()).json() as { disposition: string; ref: string }
      dispositions.push(disposition)
      // Surplus repeats of a live belief are counted; words that no live memory says are set aside.
      if (times === 0) expect(await made.person(['forget', ref])).toMatchObject({ code: 0 })
      if (disposition !== 'Quarantined') continue
      expect(await made.call(['review', ref, 'reject'])).toMatchObject({ code: 1 })
      const said = await made.person(['review', ref.slice(-8), 'reject'])
      expect(said).toMatchObject({ code: 0 })
      expect(said.out).toContain('stay out')
      break
    }
    expect(dispositions.at(-1)).toBe('Quarantined')
    const kept = await again()
    expect(kept).toMatchObject({ code: 1 })
    expect(kept.json()).toMatchObject({ error: { code: 'refused' } })
  })

  test('a wrong token or a home that cannot be made leaves nothing behind', async () => {
    const home = path.join(scratch(), 'untouched')
    const token = await new Desk(home).call(['note', 'x', '--token', 'mun_wrong'])
    expect(token).toMatchObject({ code: 1 })
    expect(existsSync(home)).toBe(false)
    const blocked = path.join(scratch(), 'file')
    writeFileSync(blocked, '')
    const said = await new Desk(path.join(blocked, 'home')).person(['note', 'x'])
    expect(said).toMatchObject({ code: 5 })
    expect(said.err).toContain('MUNIMENT_HOME')
  })

  test('text after “--” may begin with a dash, and --json there is text', async () => {
    const made = await desk()
    const said = await made.person(['note', '--', '--json'])
    expect(said.out).toMatch(/^Saved note:/)
  })

  test('a fault in the program is 70, and says that it is ours', async () => {
    const made = await desk()
    made.store('default').read = () => Promise.reject(new Error('boom'))
    const said = await made.person(['list'])
    expect(said).toMatchObject({ code: 70 })
    expect(said.err).toContain('boom')
    expect(said.err).toContain('report')
  })
})

describe('exit codes', () => {
  test('every error code has one, and help names them all', async () => {
    const used = ERROR_CODES.map((code) => exitOf(new MunimentError(code, '')))
    for (const code of used) expect(Object.values(EXIT)).toContain(code)
    for (const code of Object.values(EXIT)) {
      expect(await TOPICS['exit-codes']?.()).toMatch(new RegExp(`^ +${code} `, 'm'))
    }
  })

  test('the page of the command line says of every error code how it ends, as the program does', () => {
    const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| (\d+) \| (.+) \| (.*)\|$/gm)]
    expect(rows.map(([, exit]) => Number(exit))).toEqual(Object.values(EXIT))
    const told = rows.flatMap(([, exit, , codes = '']) =>
      [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => [code, Number(exit)]),
    )
    const ends = ERROR_CODES.map((code) => [code, exitOf(new MunimentError(code, ''))])
    expect(told.toSorted()).toEqual(ends.toSorted())
  })

  test.each(Object.keys(TOPICS))('help %s is a page', async (topic) => {
    const said = await new Desk(scratch()).person(['help', topic])
    expect(said).toMatchObject({ code: 0, out: await TOPICS[topic]?.() })
  })

  test('help says plainly what a label does not protect from', async () => {
    expect(await TOPICS.labels?.()).toContain('can forge a person')
  })
})
