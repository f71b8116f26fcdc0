import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { Desk } from './support/fake-host.ts'
import { muniment } from './support/program.ts'
import { scratch } from './support/scratch.ts'

const desk = async (): Promise<Desk> => {
  const made = new Desk(scratch())
  await made.person(['note', 'Deploys freeze on Friday'])
  return made
}

describe('a failure says what to type', () => {
  test.each([
    [['list', '--limit=-1'], '--limit'],
    [['ask', 'user', 'city', '--as-of', 'tomorrow'], '--as-of'],
    [['trust', 'assess', 'ana', '--score', '7'], '--score'],
    [['belief', 'It rains', '--confidence', '7', '--because', 'it was wet'], '--confidence'],
    [['memory', 'summary', 'month', 'tomorrow', '2026-02-01', 'All of it'], '<periodStart>'],
  ])('fields are called as in %j', async (args, called) => {
    const { code, err } = await (await desk()).person(args)
    expect(code).toBe(2)
    expect(err).toContain(called)
    expect(err).not.toContain('asOf')
    expect(err).not.toContain('--period-start')
  })

  test('and programs are told of fields', async () => {
    const said = await (await desk()).person(['list', '--limit=-1', '--json'])
    expect(said.json()).toMatchObject({ error: { issues: [{ path: 'limit' }] } })
  })

  test('never what a library would call', async () => {
    const at = await desk()
    const { err } = await at.person(['agent', 'conclude'])
    expect(err).toContain('muniment agent begin "its name"')
    expect(err).not.toContain('stack.')
  })

  test('stdin is named only for what one would pipe', async () => {
    const at = await desk()
    for (const words of ['ledger diff', 'ledger receipts', 'agent drive']) {
      expect((await at.call(words.split(' '))).err).not.toContain('stdin')
    }
    expect((await at.call(['note'])).err).toContain('stdin')
  })

  test('with the home that this call named', async () => {
    const home = path.join(scratch(), 'a home')
    const { err } = await (await desk()).person(['list', '--home', home])
    expect(err).toContain(`muniment init --home '${home}'`)
  })

  test('of a token that is none, also where nothing is written', async () => {
    const said = await (await desk()).person(['list'], { env: { MUNIMENT_TOKEN: 'mun_nope' } })
    expect(said.code).not.toBe(0)
    expect(said.err).toMatch(/token/i)
  })
})

test('an export and a backup make no folder, and name the missing one', () => {
  const home = scratch()
  muniment(['note', 'Deploys freeze on Friday'], { home })
  const folder = path.join(home, 'a/b')
  const [json, copy] = [path.join(folder, 'all.json'), path.join(folder, 'copy.db')]
  for (const args of [
    ['stack', 'export', json],
    ['stack', 'backup', copy],
  ]) {
    const said = muniment(args, { home })
    expect(said).toMatchObject({ code: 2, err: expect.stringContaining(`no folder ${folder}`) })
    expect(said.err).toContain(`mkdir -p ${folder}`)
  }
  expect(existsSync(path.join(home, 'a'))).toBe(false)
  mkdirSync(folder, { recursive: true })
  expect(muniment(['stack', 'export', json], { home })).toMatchObject({ code: 0 })
  expect(muniment(['stack', 'backup', copy], { home })).toMatchObject({ code: 0 })
  expect(existsSync(json) && existsSync(copy)).toBe(true)
})

test('doctor says that a home which does not exist holds no memory yet', () => {
  const home = path.join(scratch(), 'nowhere')
  const said = muniment(['doctor'], { home })
  expect(said.out).toMatch(/^warning +home +.*there is no memory here yet.*muniment init/m)
  expect(existsSync(home)).toBe(false)
  expect(muniment(['init'], { home }).code).toBe(0)
  expect(muniment(['doctor'], { home }).out).toMatch(/^ok +home /m)
})

test('of a paper that another key signed nothing is said but that', () => {
  const [home, other] = [scratch(), scratch()]
  for (const each of [home, other]) muniment(['note', 'Deploys freeze on Friday'], { home: each })
  const file = path.join(home, 'head.txt')
  writeFileSync(file, muniment(['ledger', 'checkpoint'], { home }).out)
  muniment(['ledger', 'checkpoint'], { home: other })
  const said = muniment(['ledger', 'check', file], { home: other })
  expect(said).toMatchObject({ code: 4, out: expect.stringContaining('is not known here') })
  expect(said.out).not.toContain('DOES NOT HOLD')
  expect(muniment(['ledger', 'check', file], { home }).code).toBe(0)
})

test('what the library is given and does not know is named', async () => {
  const folder = scratch()
  const file = path.join(folder, 'package.json')
  writeFileSync(file, JSON.stringify({ name: 'not a database', of: 'x'.repeat(2_000) }))
  const opened = openStack('a', { path: file, home: folder })
  await expect(opened).rejects.toThrow(/package\.json is no database/)
  expect(readFileSync(file, 'utf8')).toContain('not a database')
  mkdirSync(path.join(folder, 'home'))
  const mistyped = { hoem: path.join(folder, 'home') } as object
  await expect(openStack('a', mistyped)).rejects.toMatchObject({
    code: 'invalid_input',
    issues: [{ path: 'hoem' }],
  })
})
