import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

async function desk() {
  const made = new Desk(scratch())
  const first = await made.person(['note', 'The table has forty million rows'])
  const at = (name: string) => path.join(made.home, name)
  return { made, first, at }
}

test('a first write says that it made a stack, a second does not', async () => {
  const { made, first } = await desk()
  expect(first.out).toContain('a new stack was made for it: default')
  expect((await made.person(['note', 'Another'])).out).not.toContain('a new stack')
})

test('a part of what lists show that names nothing says how to ask', async () => {
  const { made } = await desk()
  const missed = await made.person(['why', 'ffff'])
  expect(missed).toMatchObject({
    code: 3,
    err: expect.stringContaining('four characters or more'),
  })
})

test('an export says why it could not be written, and guesses no format', async () => {
  const { made, at } = await desk()
  writeFileSync(at('nodir'), 'a file, where a folder should be')
  const nowhere = await made.person(['stack', 'export', at('nodir/x.json')])
  expect(nowhere.err).toContain('what it would lie in is no folder')
  const odd = await made.person(['stack', 'export', at('whole.xyz')])
  expect(odd).toMatchObject({ code: 2, err: expect.stringContaining('ends in .xyz') })
  const chosen = await made.person(['stack', 'export', at('whole.xyz'), '--format', 'json'])
  expect(chosen.out).toContain('brings an empty stack back from it')
  expect(JSON.parse(readFileSync(at('whole.xyz'), 'utf8'))).toHaveProperty('memories')
})

test('an import says what a dump is, and as whose words it came in', async () => {
  const { made, at } = await desk()
  writeFileSync(at('memories.md'), '# Memories\n')
  const markdown = await made.person(['stack', 'import', at('memories.md')])
  expect(markdown.err).toMatch(/is no JSON dump[\s\S]*muniment stack export memories\.json/)
  await made.person(['stack', 'export', at('memories.json')])
  const came = await made.person([
    'stack',
    'import',
    at('memories.json'),
    '--vouch',
    '--stack',
    'copy',
  ])
  expect(came).toMatchObject({ code: 0, out: expect.stringContaining('as you vouch for them') })
  expect((await made.person(['help', 'stack', 'import'])).out).toContain(
    'other changes stay behind',
  )
})

test('options are named as they are typed', async () => {
  const { made } = await desk()
  expect((await made.person(['list', '--stack', 'no such'])).err).toMatch(
    /--stack {2}not a stack id/,
  )
})

test('help shows every variable', async () => {
  const { made } = await desk()
  expect((await made.person(['help', 'environment'])).out).toContain('MUNIMENT_CHECKPOINTS_TO')
})
