import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { moveStack } from '../../src/compose/move-stack.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

const NOTES = 300 // more entries than are looked at in one go

/** A stack that takes more than one page to go through, and files that were written from it. */
async function long(): Promise<{ desk: Desk; bundle: string; dump: string }> {
  const desk = new Desk(scratch())
  const stack = await openStack('default', { store: desk.store('default') })
  const me = new Entity('test')
  await me.attachStack(stack)
  for (let n = 0; n < NOTES; n += 1) await me.note(`Word ${n} of a long story`)
  const [bundle, dump] = ['whole.bundle', 'memories.json'].map((name) => path.join(desk.home, name))
  if (!bundle || !dump) throw new Error('both were named')
  await stack.export(bundle, { format: 'bundle' })
  await stack.export(dump, { format: 'json' })
  await stack.close()
  return { desk, bundle, dump }
}

const BAR = /\r\[#*-*\] \d+ % {2}\d+ of \d+ /

type Files = Awaited<ReturnType<typeof long>>

const elsewhere = () => ['--home', scratch()]
const COMMANDS: readonly (readonly [string, (files: Files) => readonly string[]])[] = [
  ['audit', () => ['audit']],
  ['rebuild', () => ['stack', 'rebuild']],
  ['import', ({ dump }) => ['stack', 'import', dump, '--vouch', ...elsewhere()]],
  ['restore', ({ bundle }) => ['stack', 'restore', bundle, ...elsewhere()]],
]

describe('a bar', () => {
  test.each(COMMANDS)(
    'is shown on a terminal while %s works, and to no program',
    async (_, args) => {
      const files = await long()
      const said = await files.desk.person(args(files))
      expect(said.code).toBe(0)
      expect(said.err).toMatch(BAR)
      expect(said.err).toMatch(/\r\[#+\] 100 % {2}(\d+) of \1 [a-z ]+\n$/)
      expect(said.out).not.toMatch(BAR)
      const asked = await files.desk.person([...args(files), '--json'])
      expect(asked).toMatchObject({ code: 0, err: '' })
      expect(() => asked.json()).not.toThrow()
    },
  )

  test('is not shown where stderr is no terminal', async () => {
    const { desk } = await long()
    expect(await desk.call(['stack', 'rebuild'])).toMatchObject({ code: 0, err: '' })
  })
})

test('a move tells how far it is, and comes to its end', async () => {
  const { bundle } = await long()
  const home = scratch()
  const { restoreStack } = await import('../../src/compose/restore-stack.ts')
  await (await restoreStack('default', { home, from: bundle })).close()
  const told: { readonly done: number; readonly total: number }[] = []
  const moved = await moveStack('default', {
    from: { home },
    to: { home: scratch() },
    onProgress: (progress) => told.push(progress),
  })
  expect(told.length).toBeGreaterThan(2)
  expect(told.map(({ done }) => done)).toEqual(
    told.map(({ done }) => done).toSorted((a, b) => a - b),
  )
  expect(told.at(-1)).toEqual({ done: 2 * moved.entries, total: 2 * moved.entries })
})
