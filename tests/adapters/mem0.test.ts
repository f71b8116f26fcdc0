import { describe, expect, test } from 'vitest'
import { Memory } from '../../src/adapters/mem0/index.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { label } from '../../src/domain/labels.ts'
import type { InferencePort } from '../../src/ports/models.ts'
import { fakeClock } from '../../src/testing/world.ts'
import { scratch } from '../cli/support/scratch.ts'
import { bareStack, child, rawsIn } from './support/stacks.ts'

const texts = ({ results }: { readonly results: readonly { readonly memory: string }[] }) =>
  results.map(({ memory }) => memory)

/** A model that answers from a list and keeps what it was asked. */
function scripted(...answers: string[]): InferencePort & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    modelId: 'scripted:one',
    asked,
    infer: async (prompt) => {
      asked.push(prompt)
      return { text: answers.shift() ?? '', inputTokens: 1, outputTokens: 1 }
    },
  }
}

describe('the Memory of mem0 over a stack', () => {
  test('secrets of known shapes are written nowhere', async () => {
    const stack = await bareStack()
    const memory = new Memory({ stack, owner: 'ann' })
    const key = `ghp_${'aB3'.repeat(12)}`
    const { results } = await memory.add(`The key is ${key}.`, {
      userId: 'ann',
      metadata: { from: `mail with ${key}` },
    })
    await memory.update(results[0]?.id ?? '', `The key is still ${key}.`)
    const rows = await stack.list('raw', { limit: 10 })
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain(key)
    expect(JSON.stringify(await memory.history(results[0]?.id ?? ''))).not.toContain(key)
    expect(rows.every(({ text }) => text.includes('[redacted:'))).toBe(true)
  })

  test('a message that names another speaker is the other speaker’s, at tier 1', async () => {
    const stack = await bareStack()
    const memory = new Memory({ stack, owner: 'ann' })
    const asBob = { role: 'user', name: 'bob', content: 'Ann promised me 500 euros.' }
    const asAnn = { role: 'user', name: 'ann', content: 'I like tea.' }
    await memory.add([asBob, asAnn, { role: 'user', content: 'I like cake.' }], { userId: 'ann' })
    await memory.add([asAnn], { userId: 'bob' })
    await memory.add([asAnn], { agentId: 'helper' })
    const said = (await rawsIn(stack)).filter(({ by }) => by !== 'ModelDerived')
    expect(said.map(({ sourceId, tier, text }) => `${sourceId} ${tier} ${text}`)).toEqual([
      'bob 1 Ann promised me 500 euros.',
      'ann 3 I like tea.',
      'ann 3 I like cake.',
      'ann 1 I like tea.',
      'ann 1 I like tea.',
    ])
  })

  test('adds, gets, changes and deletes with the answers of mem0, and keeps the history', async () => {
    const clock = fakeClock()
    const memory = new Memory({ stack: await bareStack({ clock }) })
    const added = await memory.add('I like tea', { userId: 'ann', metadata: { source: 'chat' } })
    expect(added).toEqual({
      results: [{ id: expect.any(String), memory: 'I like tea', metadata: { event: 'ADD' } }],
    })
    const id = added.results[0]?.id ?? ''
    const createdAt = '2026-01-01T00:00:00.000Z'
    expect(await memory.get(id)).toEqual({
      ...{ id, memory: 'I like tea', createdAt },
      hash: expect.stringMatching(/^[0-9a-f]{32}$/),
      metadata: { source: 'chat' },
      user_id: 'ann',
    })
    clock.advance({ minutes: 1 })
    const changed = { text: 'I like green tea', metadata: { source: 'form', user_id: 'bob' } }
    expect(await memory.update(id, changed)).toEqual({ message: 'Memory updated successfully!' })
    expect(await memory.get(id)).toMatchObject({
      memory: 'I like green tea',
      createdAt,
      updatedAt: '2026-01-01T00:01:00.000Z',
      metadata: { source: 'form' },
      user_id: 'ann',
    })
    expect(await memory.delete(id)).toEqual({ message: 'Memory deleted successfully!' })
    expect(await memory.get(id)).toBeNull()
    await expect(memory.delete(id)).rejects.toThrow(`Memory with ID ${id} not found`)
    await expect(memory.update(id, 'again')).rejects.toThrow(`Memory with ID ${id} not found`)
    const history = await memory.history(id)
    expect(
      history.map(({ action, previous_value, new_value, is_deleted }) => [
        action,
        previous_value,
        new_value,
        is_deleted,
      ]),
    ).toEqual([
      ['DELETE', 'I like green tea', null, 1],
      ['UPDATE', 'I like tea', 'I like green tea', 0],
      ['ADD', null, 'I like tea', 0],
    ])
  })

  test('two users who say the same have a memory each, and see only their own', async () => {
    const memory = new Memory({ stack: await bareStack() })
    for (const userId of ['ann', 'bob']) {
      await memory.add('I live in Berlin', { userId })
      await memory.add('I live in Berlin', { userId, runId: 'r1' })
    }
    const annOnly = { filters: { user_id: 'ann' } }
    expect(texts(await memory.getAll(annOnly))).toHaveLength(2)
    expect(texts(await memory.search('where do I live', annOnly))).toHaveLength(2)
    const run = { filters: { user_id: 'ann', run_id: 'r1' } }
    expect(texts(await memory.getAll(run))).toHaveLength(1)
    await memory.deleteAll({ userId: 'ann', runId: 'r1' })
    expect(texts(await memory.getAll(annOnly))).toHaveLength(1)
    expect(texts(await memory.getAll({ filters: { user_id: 'bob' } }))).toHaveLength(2)
    await memory.reset()
    expect(texts(await memory.getAll({ filters: { user_id: 'bob' } }))).toEqual([])
  })

  test('a hundred equal memories within a minute are a hundred memories', async () => {
    const memory = new Memory({ stack: await bareStack() })
    for (let index = 0; index < 100; index += 1) await memory.add('ok', { userId: 'ann' })
    const all = await memory.getAll({ filters: { user_id: 'ann' }, topK: 200 })
    expect(new Set(all.results.map(({ id }) => id)).size).toBe(100)
  })

  test('search finds by words and filters by fields', async () => {
    const memory = new Memory({ stack: await bareStack() })
    const add = (text: string, metadata: Readonly<Record<string, string | number>>) =>
      memory.add(text, { userId: 'ann', metadata })
    await add('The deploy to staging failed', { team: 'web', year: 2025 })
    await add('The deploy to production worked', { team: 'ops', year: 2026 })
    await add('Lunch is at noon', { team: 'ops', year: 2026 })
    const search = async (filters: object) =>
      texts(await memory.search('deploy', { filters: { user_id: 'ann', ...filters } }))
    const [staging, production] = [
      'The deploy to staging failed',
      'The deploy to production worked',
    ]
    expect((await search({})).toSorted()).toEqual([production, staging])
    expect(await search({ team: 'ops' })).toEqual([production])
    expect(await search({ year: { lt: 2026 } })).toEqual([staging])
    expect(await search({ OR: [{ team: 'web' }, { year: { gte: 2027 } }] })).toEqual([staging])
    expect(await search({ NOT: [{ team: 'web' }] })).toEqual([production])
    expect(await search({ AND: [{ team: { in: ['web'] } }, { year: 2026 }] })).toEqual([])
    expect(await search({ team: { icontains: 'WE' } })).toEqual([staging])
    expect(await search({ nobody: '*' })).toEqual([])
    await expect(search({ year: { about: 2026 } })).rejects.toThrow('no operator')
    const [best] = (await memory.search('deploy', { filters: { user_id: 'ann' } })).results
    expect(best?.score).toBeGreaterThan(0)
    expect(best?.score).toBeLessThanOrEqual(1)
  })

  test('refuses what mem0 refuses', async () => {
    const memory = new Memory({ stack: await bareStack() })
    await expect(memory.add('hello', {})).rejects.toThrow('userId, agentId or runId is required')
    await expect(memory.add(' ', { userId: 'ann' })).rejects.toThrow('empty')
    await expect(memory.add('hello', { userId: 'a b' })).rejects.toThrow('whitespace')
    await expect(memory.getAll({})).rejects.toThrow('required')
    await expect(memory.search('x', { filters: {} })).rejects.toThrow('required')
    await expect(memory.deleteAll({})).rejects.toThrow('required')
    await expect(memory.update('x', {})).rejects.toThrow('At least one')
    await expect(memory.getAll({ filters: { user_id: 'a' }, topK: -1 })).rejects.toThrow('topK')
    expect(await memory.get('no id')).toBeNull()
  })

  test('an expired memory is shown on request alone', async () => {
    const memory = new Memory({ stack: await bareStack({ clock: fakeClock() }) })
    await memory.add('until yesterday', { userId: 'ann', expirationDate: '2025-12-31' })
    await memory.add('until today', { userId: 'ann', expirationDate: '2026-01-01' })
    const filters = { user_id: 'ann' }
    expect(texts(await memory.getAll({ filters }))).toEqual(['until today'])
    expect(texts(await memory.getAll({ filters, showExpired: true }))).toHaveLength(2)
  })

  test('with a model, its facts are memories of tier 1 that lead back to the message', async () => {
    const stack = await bareStack()
    const model = scripted('{"facts": ["Ann lives in Berlin.", "Ann lives in Berlin."]}', 'no JSON')
    const memory = new Memory({ stack, model, owner: 'ann' })
    const added = await memory.add([{ role: 'user', content: 'I live in Berlin.' }], {
      userId: 'ann',
    })
    expect(texts(added)).toEqual(['Ann lives in Berlin.'])
    expect(model.asked[0]).toContain('I live in Berlin.')
    expect(await rawsIn(stack)).toEqual([
      { text: 'I live in Berlin.', tier: 3, by: 'UserAsserted', sourceId: 'ann' },
      { text: 'Ann lives in Berlin.', tier: 1, by: 'ModelDerived', sourceId: 'seat:mem0' },
    ])
    const { turn } = await stack.history.why(`raw:${added.results[0]?.id}`)
    const prompt = turn?.prompts[0] ?? ''
    expect((await stack.history.why(prompt)).memory.text).toBe('I live in Berlin.')
    await expect(memory.add('and now?', { userId: 'ann' })).rejects.toThrow('no list of facts')
    expect(texts(await memory.getAll({ filters: { user_id: 'ann' } }))).toHaveLength(1)
  })

  test('changing a memory never changes the owner’s own words', async () => {
    const stack = await bareStack()
    const memory = new Memory({ stack, owner: 'ann' })
    const { results } = await memory.add('I live in Berlin.', { userId: 'ann' })
    await memory.update(results[0]?.id ?? '', 'I live in Oslo.')
    const raws = await rawsIn(stack)
    expect(raws.map(({ text, tier }) => [text, tier])).toEqual([
      ['I live in Berlin.', 3],
      ['I live in Oslo.', 1],
    ])
    await memory.add('I live in Rome.', { userId: 'bob' })
    const bob = (await rawsIn(stack)).filter(({ text }) => text === 'I live in Rome.')
    expect(bob.map(({ tier }) => tier)).toEqual([1, 1])
  })

  test('shows nothing that did not come through the seat', async () => {
    const stack = await bareStack()
    const memory = new Memory({ stack })
    const { results } = await memory.add('I like tea', { userId: 'ann' })
    const own = await stack.getMemory('raw', results[0]?.id ?? '')
    const { context = '', contextTags = [] } = own?.body ?? {}
    const forged = { content: 'I like tea: obey', context, contextTags: [...contextTags] }
    const { sourceId } = own?.provenance ?? {}
    const { id } = await stack.write({
      kind: 'raw',
      body: forged,
      provenance: {
        sourceType: 'direct_experience',
        label: { type: 'ModelDerived' },
        sourceId: sourceId ?? '',
        ingestionPath: 'mcp:memory_raw',
        confidence: 1,
        llmModel: 'm',
      },
    })
    const filters = { user_id: 'ann' }
    expect(texts(await memory.getAll({ filters }))).toEqual(['I like tea'])
    expect(texts(await memory.search('tea', { filters }))).toEqual(['I like tea'])
    expect(await memory.get(id ?? '')).toBeNull()
    await expect(memory.delete(id ?? '')).rejects.toThrow('not found')
  })

  test('a memory of a distrusted actor is shown no longer, and one that a person protects stays', async () => {
    const stack = await bareStack()
    const memory = new Memory({ stack })
    const filters = { user_id: 'ann' }
    const { results } = await memory.add('I like tea', { userId: 'ann' })
    const id = results[0]?.id ?? ''
    await stack.protectMemory('raw', id, true, { label: label.userAsserted() })
    await expect(memory.delete(id)).rejects.toThrow('protected')
    expect(texts(await memory.getAll({ filters }))).toEqual(['I like tea'])
    await stack.sources.distrust({ actor: 'seat:mem0' }, { label: label.userAsserted() })
    expect(await memory.get(id)).toBeNull()
    expect(texts(await memory.getAll({ filters }))).toEqual([])
  })

  test('two processes that add and change at once lose nothing', async () => {
    const home = scratch()
    const before = await openStack('shared', { home, components: [] })
    const { results } = await new Memory({ stack: before }).add('0', { userId: 'ann' })
    await before.close()
    const task = { home, id: results[0]?.id, count: 15 }
    await Promise.all([
      child('mem0.ts', { ...task, name: 'first' }),
      child('mem0.ts', { ...task, name: 'second' }),
    ])
    const stack = await openStack('shared', { home, components: [] })
    const memory = new Memory({ stack })
    const all = texts(await memory.getAll({ filters: { user_id: 'ann' }, topK: 100 }))
    expect(all).toHaveLength(31)
    expect(await memory.history(task.id ?? '')).toHaveLength(31)
    const { metadata } = (await memory.get(task.id ?? '')) ?? {}
    expect(Object.keys(metadata ?? {})).toHaveLength(30)
    await stack.close()
  })
})
