import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openStack, type Stack } from '../../src/index.ts'
import { linkedTo } from './support/linked.ts'

async function stocked(): Promise<Stack> {
  const stack = await openStack('utilities', { path: ':memory:' })
  onTestFinished(() => stack.close())
  await stack.claims.remember('ann', 'city', 'Berlin')
  await stack.claims.remember('bob', 'city', 'Paris')
  return stack
}

const WORKING = 'memory://working'

describe('a client is helped to type', () => {
  test('kinds, subjects and refs that begin with the typed text', async () => {
    const stack = await stocked()
    const { client } = await linkedTo(stack)
    const completed = async (ref: object, name: string, value: string, given = {}) => {
      const asked = { ref, argument: { name, value }, context: { arguments: given } }
      return (await client.complete(asked as Parameters<typeof client.complete>[0])).completion
    }
    const memory = { type: 'ref/resource', uri: 'memory://memory/{kind}/{id}' }
    expect((await completed(memory, 'kind', 'cl')).values).toEqual(['claim'])
    const [claim] = await stack.list('claim')
    const typed = claim?.id.slice(0, -4) ?? ''
    expect((await completed(memory, 'id', typed, { kind: 'claim' })).values).toContain(claim?.id)
    const subject = { type: 'ref/resource', uri: 'memory://subject/{subject}' }
    expect(await completed(subject, 'subject', 'A')).toEqual({
      values: ['ann'],
      total: 1,
      hasMore: false,
    })
    const why = { type: 'ref/prompt', name: 'why' }
    expect((await completed(why, 'about', 'claim:')).values).toContain(claim?.ref)
    expect((await completed(why, 'about', 'be')).values).toEqual(['belief:'])
  })

  test('and names what there is no argument for', async () => {
    const { client } = await linkedTo(await stocked())
    const asked = { ref: { type: 'ref/prompt', name: 'none' }, argument: { name: 'a', value: '' } }
    await expect(client.complete(asked as Parameters<typeof client.complete>[0])).rejects.toThrow(
      'no such argument',
    )
  })
})

describe('a client that watches an address', () => {
  test('hears of writes until it watches no more', async () => {
    const { client } = await linkedTo(await stocked())
    const updated = vi.fn()
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated(params.uri)
    })
    const note = (content: string) =>
      client.callTool({ name: 'memory_note', arguments: { content } })
    await client.subscribeResource({ uri: WORKING })
    await client.callTool({ name: 'memory_search', arguments: { query: 'city' } })
    expect(updated).not.toHaveBeenCalled()
    await note('The deploy failed on a lock')
    await vi.waitFor(() => expect(updated.mock.calls).toEqual([[WORKING]]))
    await client.unsubscribeResource({ uri: WORKING })
    await note('The second deploy went well')
    expect(updated).toHaveBeenCalledTimes(1)
  })

  test('is told of an address that is none', async () => {
    const { client } = await linkedTo(await stocked())
    await expect(client.subscribeResource({ uri: 'memory://nowhere' })).rejects.toThrow()
    await expect(client.subscribeResource({ uri: 'memory://subject/ann' })).resolves.toEqual({})
  })
})

test('a failed call is logged to the client, at the level that the client asked for', async () => {
  const { client } = await linkedTo(await stocked())
  const logged = vi.fn()
  client.setNotificationHandler('notifications/message', ({ params }) => {
    logged(params.level, params.data)
  })
  const fail = () => client.callTool({ name: 'memory_note', arguments: { content: '' } })
  await client.setLoggingLevel('error')
  await fail()
  expect(logged).not.toHaveBeenCalled()
  await client.setLoggingLevel('info')
  await fail()
  await vi.waitFor(() => expect(logged).toHaveBeenCalledWith('notice', { code: 'invalid_input' }))
})
