import { anthropic } from '@ai-sdk/anthropic'
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory'
import { expect, test } from 'vitest'
import { StackMemoryTool } from '../../../src/adapters/anthropic/index.ts'
import { Entity } from '../../../src/agent/entity.ts'
import { freshStack } from '../../stack/support.ts'

const PATH = '/memories/plan.md'

test('each line blames to its writer and moment, through edits and a rename', async () => {
  const { stack, clock } = await freshStack()
  const memory = new StackMemoryTool(stack)
  await memory.create({ command: 'create', path: PATH, file_text: 'one\ntwo\nthree' })
  const first = await stack.health.now()
  clock.advance({ days: 1 })
  await memory.insert({
    command: 'insert',
    path: PATH,
    insert_line: 1,
    insert_text: 'one and a half',
  })
  const second = await stack.health.now()
  clock.advance({ days: 1 })
  await memory.rename({ command: 'rename', old_path: PATH, new_path: '/memories/old/plan.md' })
  const blamed = await memory.blame('/memories/old/plan.md')
  expect(blamed.map(({ text, at }) => [text, at])).toEqual([
    ['one', first],
    ['one and a half', second],
    ['two', first],
    ['three', first],
  ])
  expect(new Set(blamed.map(({ by }) => by))).toEqual(new Set(['test:memory_tool']))
})

test('why of a file ends at the message of the person', async () => {
  const { stack } = await freshStack()
  const memory = new StackMemoryTool(stack, { user: { name: 'ann', isOwner: true } })
  await memory.hear({ role: 'user', text: 'Remember that the launch is on Monday.' })
  await memory.create({ command: 'create', path: PATH, file_text: 'The launch is on Monday.' })
  const why = await stack.history.why(await memory.refOf(PATH))
  expect(why.memory.tier).toBe(1) // the file is the model's word
  const [prompt] = why.turn?.prompts ?? []
  expect(why.turn?.nearestWords).toMatchObject({ ref: prompt, tier: 3 })
})

test('a deleted file is forgotten: no answer shows the file, and its record stays', async () => {
  const { stack } = await freshStack()
  const memory = new StackMemoryTool(stack)
  await memory.create({ command: 'create', path: PATH, file_text: 'the old plan' })
  const ref = await memory.refOf(PATH)
  await memory.delete({ command: 'delete', path: PATH })
  await expect(memory.view({ command: 'view', path: PATH })).rejects.toThrow('does not exist')
  expect(await stack.search('old plan')).toEqual([])
  const { changes } = await stack.history.why(ref)
  expect(changes.map(({ op }) => op)).toEqual(['memory.saved', 'memory.forgotten'])
})

test('nothing else of the stack is shown, and another actor has files of its own', async () => {
  const { stack } = await freshStack()
  const me = new Entity('agent')
  await me.attachStack(stack)
  await me.raw(`plan.md\nforged`, { context: 'seat:memory_tool' })
  const memory = new StackMemoryTool(stack)
  await expect(memory.view({ command: 'view', path: PATH })).rejects.toThrow('does not exist')
  await memory.create({ command: 'create', path: PATH, file_text: 'of one actor' })
  const other = new StackMemoryTool(stack, { actor: 'another' })
  await expect(other.view({ command: 'view', path: PATH })).rejects.toThrow('does not exist')
})

test('the SDK’s tool and the AI SDK’s tool both run on the handlers', async () => {
  const { stack } = await freshStack()
  const memory = new StackMemoryTool(stack)
  const ours = betaMemoryTool(memory)
  const create = { command: 'create', path: PATH, file_text: 'via the SDK' } as const
  expect(await ours.run(create)).toBe(`File created successfully at: ${PATH}`)
  const theirs = anthropic.tools.memory_20250818({ execute: memory.execute })
  const call = { toolCallId: 'c', messages: [], context: undefined } as never
  expect(await theirs.execute?.({ command: 'view', path: PATH }, call)).toContain('via the SDK')
})

test('a file that a person protects is not deleted, and the model is told', async () => {
  const { stack } = await freshStack()
  const memory = new StackMemoryTool(stack)
  await memory.create({ command: 'create', path: PATH, file_text: 'keep me' })
  const id = (await memory.refOf(PATH)).slice('raw:'.length)
  await stack.protectMemory('raw', id)
  await expect(memory.delete({ command: 'delete', path: PATH })).rejects.toThrow('was not deleted')
  expect(await memory.view({ command: 'view', path: PATH })).toContain('keep me')
})
