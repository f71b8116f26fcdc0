import { expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { muniment } from './support/program.ts'
import { scratch } from './support/scratch.ts'

test('--session ties what is written and what is read to one session', async () => {
  const home = scratch()
  const run = (...args: readonly string[]) =>
    muniment([...args, '--session', 'errand-3', '--json'], { home })
  const { ref } = JSON.parse(run('note', 'Two deploys failed on locks').out) as { ref: string }
  expect(run('search', 'deploys').code).toBe(0)
  expect(run('why', ref).code).toBe(0)
  const reads = [
    ['list', 'note'],
    ['show', ref],
    ['ledger', 'diff', '3'],
    ['claims', 'uncertain', '--threshold', '1'],
  ]
  for (const args of reads) expect(run(...args).code, args[0]).toBe(0)
  expect(muniment(['search', 'deploys'], { home }).code).toBe(0) // of no session, so of no receipt
  const stack = await openStack('default', { home })
  const memory = await stack.getMemory('note', ref.slice('note:'.length))
  expect(memory?.provenance).toMatchObject({ session: 'errand-3', ingestionPath: 'cli:note' })
  const receipts = await stack.history.receipts('errand-3')
  expect(receipts.map(({ operation, door }) => `${door}:${operation}`)).toEqual([
    'cli:search',
    'cli:why',
    'cli:why',
    'cli:list',
    'cli:get_memory',
    'cli:diff',
    'cli:uncertain',
    'cli:uncertain',
  ])
  await stack.close()
})
