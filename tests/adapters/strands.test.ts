import { describe, expect, test } from 'vitest'
import { MunimentMemoryStore } from '../../src/adapters/strands/index.ts'
import { bareStack, OWNER, rawsIn } from './support/stacks.ts'

const said = (text: string, trackingId?: string) => ({
  role: 'user' as const,
  content: [{ text }],
  ...(trackingId === undefined ? {} : { trackingId }),
})
const contents = (found: readonly { readonly content: string }[]) =>
  found.map(({ content }) => content)

describe('a memory store of the Strands Agents SDK', () => {
  test('finds what was added and what was said, and only in its own store', async () => {
    const stack = await bareStack()
    const store = new MunimentMemoryStore({ stack, name: 'notes' })
    const other = new MunimentMemoryStore({ stack, name: 'other' })
    const { id } = await store.add('The deploy runs on Fridays.', { source: 'wiki' })
    await store.addMessages([said('I prefer the deploy on Mondays.')])
    await other.add('The deploy runs on Sundays.')
    const found = await store.search('deploy')
    expect(contents(found).toSorted()).toEqual([
      'I prefer the deploy on Mondays.',
      'The deploy runs on Fridays.',
    ])
    const added = found.find(({ content }) => content.includes('Fridays'))
    expect(added).toMatchObject({ storeName: 'notes', metadata: { id, source: 'wiki' } })
    expect(await store.search('deploy', { maxSearchResults: 1 })).toHaveLength(1)
    expect(await store.search('')).toEqual([])
  })

  test('a retried batch adds nothing twice, and a read-only store takes nothing', async () => {
    const stack = await bareStack()
    const store = new MunimentMemoryStore({ stack, name: 'notes', user: OWNER })
    await store.addMessages([said('ok', 'a'), said('ok', 'b')])
    await store.addMessages([said('ok', 'a'), said('ok', 'b'), said('ok', 'c')])
    expect(await rawsIn(stack)).toHaveLength(3)
    const closed = new MunimentMemoryStore({ stack, name: 'notes', writable: false })
    await expect(closed.add('x')).rejects.toThrow('read-only')
    await expect(closed.addMessages([said('x')])).rejects.toThrow('read-only')
    expect(() => new MunimentMemoryStore({ stack, name: ' ' })).toThrow('name')
  })

  test('what the model adds is a model’s, and leads back to the message before it', async () => {
    const stack = await bareStack()
    const store = new MunimentMemoryStore({ stack, name: 'notes', user: OWNER })
    const result = {
      toolResult: { toolUseId: 't', content: [{ text: 'Oslo' }], status: 'success' },
    }
    await store.addMessages([said('I live in Berlin.'), { role: 'user', content: [result] }])
    const { id } = await store.add('The user lives in Berlin.')
    const raws = await rawsIn(stack)
    expect(raws.map(({ by, tier }) => `${by} ${tier}`)).toEqual([
      'UserAsserted 3',
      'ExternalFirstHand 1',
      'ModelDerived 1',
    ])
    const { turn } = await stack.history.why(`raw:${id}`)
    const [prompt = ''] = turn?.prompts ?? []
    expect((await stack.history.why(prompt)).memory.text).toBe('I live in Berlin.')
    expect(turn?.toolResults).toHaveLength(1)
  })
})
