import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { FIRST_SCREEN } from '../../src/doors/cli/overview.ts'
import { GROUPS } from '../../src/operations/command-groups.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

describe('completion', () => {
  test('the words are the commands, and for a command its choices and options', async () => {
    const desk = new Desk(scratch())
    const names = (await desk.person(['completion', 'words'])).out.trim().split('\n')
    expect(names).toEqual([...Object.keys(FIRST_SCREEN), ...Object.keys(GROUPS), 'help'])
    const group = (await desk.person(['completion', 'words', 'ledger'])).out.trim().split('\n')
    expect(group).toEqual(expect.arrayContaining(['prove', 'entries', 'check']))
    const prove = (await desk.person(['completion', 'words', 'ledger', 'prove'])).out
    expect(prove.trim().split('\n')).toContain('--withhold')
    const of = (await desk.person(['completion', 'words', 'setup'])).out.trim().split('\n')
    expect(of).toEqual(expect.arrayContaining(['cursor', '--dry-run', '--json']))
    expect((await desk.person(['completion', 'words', 'nothing'])).code).toBe(2)
    expect((await desk.person(['completion'])).code).toBe(2)
  })

  test('the script for bash is one that bash reads', async () => {
    const { out } = await new Desk(scratch()).person(['completion', 'bash'])
    const read = spawnSync('bash', ['-n'], { input: out, encoding: 'utf8' })
    expect(read.stderr).toBe('')
    expect(read.status).toBe(0)
  })
})

test('--ndjson gives a list line by line, and a failure as one value', async () => {
  const desk = new Desk(scratch())
  await desk.person(['note', 'one'])
  await desk.person(['note', 'two'])
  const { out } = await desk.call(['list', 'note', '--ndjson'])
  const lines = out.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).body.content)).toEqual(['two', 'one'])
  const bad = await desk.call(['show', 'nothing', '--ndjson'])
  expect(bad.json()).toMatchObject({ error: { code: expect.any(String) } })
})
