import { describe, expect, test } from 'vitest'
import { StackMemoryTool } from '../../src/adapters/anthropic/index.ts'
import { MunimentSessionStore } from '../../src/adapters/claude-agent-sdk/index.ts'
import { MunimentMemoryService } from '../../src/adapters/google-adk/index.ts'
import { StackStore } from '../../src/adapters/langgraph/index.ts'
import { MunimentProcessor } from '../../src/adapters/mastra/index.ts'
import { Memory } from '../../src/adapters/mem0/index.ts'
import { MunimentSession } from '../../src/adapters/openai-agents/index.ts'
import { MunimentMemoryStore } from '../../src/adapters/strands/index.ts'
import { bareStack } from './support/stacks.ts'

const ODD = [
  '__proto__',
  'constructor',
  'a\nb',
  'a%0Ab',
  '../b',
  'ann/../bob',
  '"',
  '\u202e',
  'x'.repeat(900),
]
const HALF = 'half \ud800'
const WHOLE = HALF.toWellFormed()

describe.each(ODD)('the name %j', (name) => {
  test('names one file of the memory tool, and leads nowhere else', async () => {
    const memory = new StackMemoryTool(await bareStack())
    const path = `/memories/d/${name.replaceAll('/', '\\')}`
    await memory.create({ command: 'create', path, file_text: 'text' })
    expect(await memory.view({ command: 'view', path })).toMatch(/\ttext$/)
    expect([...(await memory.files()).keys()]).toEqual(['d/', path.slice('/memories/'.length)])
  })

  test('names one item of a LangGraph store', async () => {
    const store = new StackStore(await bareStack())
    await store.put(['n', '__proto__'], name, { v: 1 })
    expect((await store.get(['n', '__proto__'], name))?.value).toEqual({ v: 1 })
    expect(await store.get(['n'], name)).toBeNull()
    expect(await store.search(['n'], { filter: { [name]: 1 } })).toEqual([])
  })

  test('names one session, one user and one store', async () => {
    const stack = await bareStack()
    const session = new MunimentSession({ stack, sessionId: name })
    const item = { role: 'user', content: 'hi' } as const
    await session.addItems([item])
    expect(await session.getItems()).toEqual([item])
    expect(await new MunimentSession({ stack, sessionId: `${name}2` }).getItems()).toEqual([])
    const sessions = new MunimentSessionStore({ stack })
    const key = { projectKey: name, sessionId: name }
    await sessions.append(key, [{ type: 'user', uuid: name }])
    expect(await sessions.load(key)).toEqual([{ type: 'user', uuid: name }])
    const store = new MunimentMemoryStore({ stack, name })
    await store.add('Ann likes tea.', JSON.parse('{"__proto__":{"x":1}}'))
    expect((await store.search('tea')).map(({ content }) => content)).toEqual(['Ann likes tea.'])
    if (/\s/.test(name)) return // mem0 refuses such ids
    const memory = new Memory({ stack })
    await memory.add('I like tea.', { userId: name })
    expect((await memory.getAll({ filters: { user_id: name } })).results).toHaveLength(1)
    expect((await memory.getAll({ filters: { user_id: 'bob' } })).results).toEqual([])
  })
})

test('half characters do not stop a seat', async () => {
  const stack = await bareStack()
  const tool = new StackMemoryTool(stack)
  const path = `/memories/${HALF}`
  await tool.create({ command: 'create', path, file_text: HALF })
  expect(await tool.view({ command: 'view', path })).toContain(WHOLE)
  const memory = new Memory({ stack })
  await memory.add(HALF, { userId: 'ann' })
  const [found] = (await memory.getAll({ filters: { user_id: 'ann' } })).results
  expect(found?.memory).toBe(WHOLE)
  const session = new MunimentSession({ stack, sessionId: 's' })
  await session.addItems([{ role: 'user', content: HALF }])
  expect(await session.getItems()).toEqual([{ role: 'user', content: HALF }])
})

test('parts that are no objects do not stop a seat', async () => {
  const stack = await bareStack()
  const session = new MunimentSession({ stack, sessionId: 's' })
  const item = { role: 'user', content: [null] } as never // as no host should hand over
  await session.addItems([item])
  expect(await session.getItems()).toEqual([item])
  const parts = [null as never, 7 as never]
  await new MunimentMemoryStore({ stack, name: 'n' }).addMessages([
    { role: 'user', content: parts },
  ])
  await new MunimentProcessor({ stack }).processInput({
    messages: [{ id: '1', role: 'user', content: { parts } }],
    systemMessages: [],
  })
  const event = { id: 'e', author: 'user', timestamp: 1, content: { parts } }
  const service = new MunimentMemoryService({ stack })
  await service.addSessionToMemory({ id: 's', appName: 'a', userId: 'u', events: [event] })
  expect(await stack.getRaw()).toHaveLength(4)
})

test('an unknown command of the memory tool is refused', async () => {
  const tool = new StackMemoryTool(await bareStack())
  await expect(tool.execute({ command: '__proto__' } as never)).rejects.toThrow('Unknown command')
})
