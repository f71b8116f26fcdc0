import path from 'node:path'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scratch } from '../../cli/support/scratch.ts'
import { ours, theirs } from './processes.ts'

const name = fc.constantFrom(
  'Alice',
  'alice',
  'Bob',
  'Acme Corp',
  '',
  ' ',
  'Ünal',
  '日本',
  '__proto__',
)
const type = fc.constantFrom('person', 'company', 'knows', 'WORKS_at')
const observation = fc.constantFrom(
  'likes coffee',
  'Likes coffee',
  'has a dog',
  'two\nlines',
  '',
  'a "quote"',
  'Person \ud800',
)
const observations = fc.array(observation, { maxLength: 4 })
const entity = fc.record({ name, entityType: type, observations })
const relation = fc.record({ from: name, to: name, relationType: type })
const few = { maxLength: 3 }

const call = fc.oneof(
  fc.record({
    tool: fc.constant('create_entities'),
    given: fc.record({ entities: fc.array(entity, few) }),
  }),
  fc.record({
    tool: fc.constant('create_relations'),
    given: fc.record({ relations: fc.array(relation, few) }),
  }),
  fc.record({
    tool: fc.constant('add_observations'),
    given: fc.record({
      observations: fc.array(fc.record({ entityName: name, contents: observations }), {
        maxLength: 2,
      }),
    }),
  }),
  fc.record({
    tool: fc.constant('delete_observations'),
    given: fc.record({
      deletions: fc.array(fc.record({ entityName: name, observations }), { maxLength: 2 }),
    }),
  }),
  fc.record({
    tool: fc.constant('delete_relations'),
    given: fc.record({ relations: fc.array(relation, few) }),
  }),
  fc.record({
    tool: fc.constant('delete_entities'),
    given: fc.record({ entityNames: fc.array(name, { maxLength: 2 }) }),
  }),
  fc.record({
    tool: fc.constant('search_nodes'),
    given: fc.record({ query: fc.oneof(observation, name, type, fc.constant('COFFEE')) }),
  }),
  fc.record({ tool: fc.constant('open_nodes'), given: fc.record({ names: fc.array(name, few) }) }),
  fc.record({ tool: fc.constant('read_graph'), given: fc.constant({}) }),
)

const CALLS = 700

test('every answer is that of server-memory, over random calls to two real servers', async () => {
  const folder = scratch()
  const them = await theirs(path.join(folder, 'memory.jsonl'))
  const us = await ours(folder)
  const calls = fc.sample(call, { numRuns: CALLS, seed: 7 })
  for (const { tool, given } of calls) {
    const expected = await them.call(tool, given)
    expect({ tool, given, answer: await us.call(tool, given) }).toEqual({
      tool,
      given,
      answer: expected,
    })
  }
  const uri = 'memory://knowledge-graph'
  expect(await us.client.readResource({ uri })).toEqual(await them.client.readResource({ uri }))
})

test('tools and resources are listed word for word, and wrong calls fail with the same words', async () => {
  const folder = scratch()
  const them = await theirs(path.join(folder, 'memory.jsonl'))
  const us = await ours(folder)
  expect(await us.client.listTools()).toEqual(await them.client.listTools())
  expect(await us.client.listResources()).toEqual(await them.client.listResources())
  const wrong: readonly [string, object][] = [
    ['create_entities', { entities: [{ name: 1 }] }],
    ['create_entities', {}],
    ['add_observations', { observations: [{ entityName: 'nobody', contents: [] }] }],
    ['search_nodes', { query: 5 }],
    ['open_nodes', { names: ['a', null] }],
    ['read_graph', { unknown: 1 }],
    ['nothing_like_that', {}],
  ]
  for (const [tool, given] of wrong) {
    expect({ tool, answer: await us.call(tool, given) }).toEqual({
      tool,
      answer: await them.call(tool, given),
    })
  }
})

test('a subscriber to the resource learns of each change, as from server-memory', async () => {
  const folder = scratch()
  const heard: string[][] = []
  for (const server of [await theirs(path.join(folder, 'memory.jsonl')), await ours(folder)]) {
    const updates: string[] = []
    heard.push(updates)
    expect(server.client.getServerCapabilities()?.resources).toMatchObject({ subscribe: true })
    server.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      updates.push(params.uri)
    })
    const uri = 'memory://knowledge-graph'
    const add = () => server.call('create_entities', { entities: [] })
    await add()
    await server.client.subscribeResource({ uri })
    await add()
    await server.call('read_graph')
    await server.call('delete_entities', { entityNames: [] })
    await server.client.unsubscribeResource({ uri })
    await add()
    await server.client.ping()
  }
  expect(heard[1]).toEqual(heard[0])
  expect(heard[0]).toHaveLength(2)
})
