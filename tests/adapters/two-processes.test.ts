import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { StackMemoryTool } from '../../src/adapters/anthropic/index.ts'
import { StackStore } from '../../src/adapters/langgraph/index.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { scratch } from '../cli/support/scratch.ts'
import { child, rawsIn } from './support/stacks.ts'

const CHILD = fileURLToPath(new URL('children/write-items.ts', import.meta.url))
const NAMES = ['one', 'two'] as const
const COUNT = 12

async function writeAtOnce(home: string, seat: string): Promise<void> {
  const children = NAMES.map((name) => {
    const task = JSON.stringify({ home, seat, name, count: COUNT })
    return spawn(process.execPath, [CHILD, task], { stdio: ['ignore', 'ignore', 'inherit'] })
  })
  const ends = await Promise.all(children.map((child) => once(child, 'exit')))
  expect(ends.map(([code]) => code)).toEqual([0, 0])
}

const expected = NAMES.flatMap((name) => Array.from({ length: COUNT }, (_, n) => `${name} ${n}`))

test('two processes edit one file of the memory tool at once, and no line is lost', async () => {
  const home = scratch()
  const stack = await openStack('shared', { home })
  const memory = new StackMemoryTool(stack)
  const path = '/memories/shared.md'
  await memory.create({ command: 'create', path, file_text: '' })
  await writeAtOnce(home, 'anthropic')
  const lines = (await memory.blame(path)).map(({ text }) => text)
  expect(lines.filter((line) => line !== '').sort()).toEqual([...expected].sort())
  const files = [...(await memory.files()).keys()].filter((name) => name.endsWith('.md'))
  expect(files).toHaveLength(expected.length + 1)
  expect((await stack.ledger.audit()).ok).toBe(true)
  await stack.close()
})

test('two processes put items at once, and every item is there', async () => {
  const home = scratch()
  const stack = await openStack('shared', { home })
  await writeAtOnce(home, 'langgraph')
  const store = new StackStore(stack)
  const keys = (await store.search(['items'], { limit: 100 })).map(({ key }) => key)
  expect(keys.sort()).toEqual([...expected, 'both'].sort())
  expect((await stack.ledger.audit()).ok).toBe(true)
  await stack.close()
})

test.for(['ai-sdk', 'mastra', 'strands', 'google-adk'])(
  'two processes that speak through %s lose nothing, and say nothing twice',
  async (seat) => {
    const home = scratch()
    const stack = await openStack('shared', { home })
    await Promise.all(NAMES.map((name) => child('say.ts', { home, seat, name, count: COUNT })))
    const both = Array.from({ length: COUNT }, (_, n) => `both ${n}`)
    const wanted = [
      ...expected,
      ...(seat === 'ai-sdk' ? [] : both),
      ...(seat === 'strands' ? expected.map((text) => `added ${text}`) : []),
    ]
    expect((await rawsIn(stack)).map(({ text }) => text).sort()).toEqual(wanted.sort())
    expect((await stack.ledger.audit()).ok).toBe(true)
    await stack.close()
  },
)
