import { describe, expect, test } from 'vitest'
import { MunimentMemoryService } from '../../src/adapters/google-adk/index.ts'
import { bareStack, rawsIn } from './support/stacks.ts'

const TIME = Date.parse('2026-01-01T12:00:00Z')

const event = (id: string, author: string, ...parts: object[]) => ({
  id,
  author,
  timestamp: TIME,
  content: { role: author === 'user' ? 'user' : 'model', parts },
})
const session = (userId: string, ...events: ReturnType<typeof event>[]) => ({
  id: 's1',
  appName: 'shop',
  userId,
  events,
})

describe('a memory service of the Agent Development Kit', () => {
  test('finds the events of a user in an app, as they were', async () => {
    const service = new MunimentMemoryService({ stack: await bareStack() })
    const first = event('e1', 'user', { text: 'My order of tea is late.' })
    const second = event('e2', 'clerk', { text: 'The tea ships on Monday.' })
    const empty = { ...event('e3', 'clerk'), content: { role: 'model', parts: [] } }
    await service.addSessionToMemory(session('ann', first, empty))
    await service.addSessionToMemory(session('ann', first, empty, second))
    await service.addSessionToMemory(session('bob', event('e1', 'user', { text: 'I like tea.' })))
    const { memories } = await service.searchMemory({
      appName: 'shop',
      userId: 'ann',
      query: 'tea',
    })
    expect(memories).toHaveLength(2)
    expect(memories).toContainEqual({
      content: first.content,
      author: 'user',
      timestamp: '2026-01-01T12:00:00.000Z',
    })
    expect(memories).toContainEqual(expect.objectContaining({ author: 'clerk' }))
    const nobody = { appName: 'shop', userId: 'carl', query: 'tea' }
    expect(await service.searchMemory(nobody)).toEqual({ memories: [] })
    expect(await service.searchMemory({ ...nobody, appName: 'shop/ann' })).toEqual({ memories: [] })
  })

  test('each event has its author: the owner, another user, the model, a tool', async () => {
    const stack = await bareStack()
    const service = new MunimentMemoryService({ stack, owner: 'ann' })
    const result = { functionResponse: { name: 'web', response: { text: 'Oslo' } } }
    const streamed = { ...event('e0', 'clerk', { text: 'You li' }), partial: true }
    const events = [
      event('e1', 'user', { text: 'I live in Berlin.' }),
      streamed,
      event('e2', 'clerk', { text: 'You live in Berlin.' }),
      event('e3', 'clerk', result),
    ]
    await service.addSessionToMemory(session('ann', ...events))
    await service.addSessionToMemory(session('bob', event('e1', 'user', { text: 'I am Ann.' })))
    const raws = await rawsIn(stack)
    expect(raws.map(({ by, tier, sourceId }) => `${by} ${tier} ${sourceId}`)).toEqual([
      'UserAsserted 3 ann',
      'ModelDerived 1 seat:google_adk',
      'ExternalFirstHand 1 seat:tool',
      'ExternalFirstHand 1 bob',
    ])
    const [said] = await stack.list('raw', { byPerson: true })
    const why = await stack.history.why(said?.ref ?? '')
    expect(why.lineage.map(({ memory }) => memory.text)).toEqual(['I live in Berlin.'])
  })
})
