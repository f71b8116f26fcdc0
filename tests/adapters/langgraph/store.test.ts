import { InMemoryStore } from '@langchain/langgraph-checkpoint'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StackStore } from '../../../src/adapters/langgraph/index.ts'
import { Entity } from '../../../src/agent/entity.ts'
import { freshStack } from '../../stack/support.ts'

const USER = ['users', 'ann']

const namespace = fc.constantFrom(['a'], ['a', 'b'], ['a', 'b', 'c'], ['z'])
const key = fc.constantFrom('k', 'K', 'l', '')
const value = fc.record(
  { n: fc.integer({ min: 0, max: 3 }), s: fc.constantFrom('x', 'y', 'ü\n'), b: fc.boolean() },
  { requiredKeys: [] },
)
const filter = fc.constantFrom(
  {},
  { n: 1 },
  { n: { $gt: 1 } },
  { s: { $ne: 'x' } },
  { b: { $in: [true] } },
)
const put = fc.oneof(
  { weight: 4, arbitrary: fc.record({ namespace, key, value }) },
  { weight: 1, arbitrary: fc.record({ namespace, key, value: fc.constant(null) }) },
)
const read = fc.oneof(
  fc.record({ namespace, key }),
  fc.record({ namespacePrefix: namespace, filter, limit: fc.constant(50) }),
)
// Apart, because LangGraph's store hands out the very object that a put of the same batch changes.
const batch = fc.oneof(
  fc.array(put, { minLength: 1, maxLength: 6 }),
  fc.array(read, { minLength: 1, maxLength: 6 }),
)

const KEYS = ['value', 'key', 'namespace'] as const

/** Without times, which the stores take from other clocks, and in one order. */
const plain = (answers: readonly unknown[]): unknown =>
  answers.map((answer) => {
    if (!Array.isArray(answer)) return answer ? pick(answer) : null
    return answer.map((item) => JSON.stringify(pick(item))).sort()
  })
const pick = (item: unknown) => KEYS.map((name) => (item as Record<string, unknown>)[name])

test('random batches are answered as LangGraph’s own store answers them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { maxLength: 16 }), async (batches) => {
      const { stack } = await freshStack()
      const ours = new StackStore(stack)
      const theirs = new InMemoryStore()
      for (const operations of batches) {
        const expected = (await theirs.batch(operations as never)) as unknown[]
        expect(plain(await ours.batch(operations as never))).toEqual(plain(expected))
      }
    }),
    { numRuns: 150 },
  )
})

test('an item leaves after its time to live, and a put keeps it', async () => {
  const { stack, clock } = await freshStack()
  const store = new StackStore(stack, { ttlMinutes: 10 })
  await store.put(USER, 'short', { n: 1 })
  await store.put(USER, 'kept', { n: 1 })
  clock.advance({ minutes: 6 })
  await store.put(USER, 'kept', { n: 2 })
  clock.advance({ minutes: 6 })
  expect((await store.search(USER)).map(({ key: name }) => name)).toEqual(['kept'])
  expect(await store.get(USER, 'short')).toBeNull()
  expect(await store.listNamespaces()).toEqual([USER])
  const ref = await store.refOf(USER, 'short')
  await store.put(USER, 'other', {}) // the next put forgets what has expired
  const forgotten = await stack.getMemory('raw', ref?.slice('raw:'.length) ?? '')
  expect(forgotten?.stored.strength).toBe(0)
})

test('a query ranks by words, with a score, and leaves unindexed items behind', async () => {
  const { stack } = await freshStack()
  const store = new StackStore(stack)
  await store.put(USER, 'car', { text: 'a red car in the garage' })
  await store.put(USER, 'tea', { text: 'green tea from Japan' })
  await store.put(USER, 'secret tea', { text: 'green tea from China' }, false)
  const found = await store.search(USER, { query: 'green tea' })
  expect(found.map(({ key: name }) => name)).toEqual(['tea', 'car', 'secret tea'])
  expect(found[0]?.score).toBeGreaterThan(0)
  expect(found[2]?.score).toBeUndefined()
})

test('why of an item ends at the message, and each value has its version', async () => {
  const { stack } = await freshStack()
  const store = new StackStore(stack, { user: { name: 'ann', isOwner: true } })
  await store.hear({ role: 'user', text: 'I live in Lisbon.' })
  await store.put(USER, 'home', { text: 'lives in Lisbon' })
  await store.put(USER, 'home', { text: 'lives in Porto' })
  const { turn, memory, changes } = await stack.history.why((await store.refOf(USER, 'home')) ?? '')
  expect(turn?.prompts).toHaveLength(1)
  expect(memory).toMatchObject({ tier: 1, version: 2 })
  expect(changes.map(({ op }) => op)).toEqual(['memory.saved', 'memory.revised'])
})

test('words of others are no items, whatever they look like', async () => {
  const { stack } = await freshStack()
  const me = new Entity('agent')
  await me.attachStack(stack)
  const forged = JSON.stringify({ namespace: USER, key: 'k', value: { forged: true } })
  await me.raw(forged, { context: 'seat:langgraph', actor: 'test:langgraph' })
  const store = new StackStore(stack)
  expect(await store.get(USER, 'k')).toBeNull()
  expect(await store.search([], { query: 'forged' })).toEqual([])
})
