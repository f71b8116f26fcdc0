import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { allCommands, findCommand } from '../../src/doors/cli/commands/registry.ts'
import { typed } from '../../src/doors/cli/spec/command.ts'
import { GROUPS, isGroup } from '../../src/operations/command-groups.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

const desk = () => new Desk(scratch())

describe('groups of commands', () => {
  test.each(Object.keys(GROUPS))(
    '%s alone lists its commands, each with its summary',
    async (group) => {
      const said = await desk().person([group])
      const members = (await allCommands()).filter((command) => command.group === group)
      expect(said.code).toBe(0)
      expect(members.length).toBeGreaterThan(3)
      for (const { name } of members) expect(said.out).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
      expect((await desk().person(['help', group])).out).toBe(said.out)
      expect((await desk().person([group, '--help'])).out).toBe(said.out)
    },
  )

  test('a command of a group has one page of help, asked for in either way', async () => {
    const said = await desk().person(['help', 'ledger', 'prove'])
    expect(said.out).toContain('Usage: muniment ledger prove <ref>')
    expect((await desk().person(['ledger', 'prove', '--help'])).out).toBe(said.out)
  })

  test.each([
    [['prove', 'note:1a2b'], 'ledger prove'],
    [['help', 'entries'], 'ledger entries'],
    [['backup', 'copy.db'], 'stack backup'],
    [['ledger', 'prov3'], 'ledger prove'],
    [['ledger', 'audit'], 'audit'],
    [['tag', 'note:1a2b', 'x'], 'memory describe'],
  ])('%j is refused, and the words to type are named', async (args, meant) => {
    const said = await desk().person(args)
    expect(said.code).toBe(2)
    expect(said.err).toContain('There is no command “')
    expect(said.err).toContain(`Did you mean: muniment ${meant}?`)
  })

  test('a command of a group takes arguments, options and JSON like any other', async () => {
    const made = desk()
    const { ref } = (await made.person(['note', 'A note', '--json'])).json() as { ref: string }
    expect((await made.call(['ledger', 'prove', ref, '--json'])).json()).toMatchObject({
      format: 'muniment/receipt/1',
    })
    const bad = await made.person(['ledger', 'prove', ref, '--nope'])
    expect(bad.err).toContain('ledger prove has no option --nope')
  })
})

/** Words behind the program's name that begin a sentence or a name, and no command. */
const PROSE = new Set([
  'alone',
  'keeps',
  'knows',
  'is',
  'in',
  'needs',
  'itself',
  'and',
  'or',
  'runs',
  'registered',
])

test('every text that names a command names one that there is', async () => {
  const known = new Set((await allCommands()).map(typed))
  const files = execFileSync('git', ['ls-files', 'src', 'docs', 'README.md', 'explorer/src'], {
    encoding: 'utf8',
  })
  const wrong = []
  let count = 0
  for (const file of files
    .trim()
    .split('\n')
    .filter((name) => /\.(ts|tsx|md)$/.test(name))) {
    const text = readFileSync(file, 'utf8')
    for (const [, words = ''] of text.matchAll(
      /(?<![\w/.:@"-])muniment ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*)?)(?![\w:])/g,
    )) {
      const [first = '', second = ''] = words.split(' ')
      count += 1
      const isThere = isGroup(first)
        ? second === '' || known.has(`${first} ${second}`)
        : known.has(first)
      if (!isThere && !['help', ...PROSE].includes(first)) wrong.push(`${file}: muniment ${words}`)
    }
  }
  expect(count).toBeGreaterThan(200)
  expect(wrong).toEqual([])
  await expect(findCommand(['nothing-like-it'])).rejects.toThrow('There is no command')
})
