import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { type Case, shows } from '../manifest/case.ts'

/** LangGraph's `BaseStore`, as far as the suite uses a store. */
export interface ItemStore {
  batch(operations: never): Promise<unknown>
  get(namespace: string[], key: string): Promise<StoredItem | null>
  put(namespace: string[], key: string, value: Record<string, unknown>): Promise<void>
  delete(namespace: string[], key: string): Promise<void>
  search(namespacePrefix: string[], options?: SearchOptions): Promise<StoredItem[]>
  listNamespaces(options?: NamespaceOptions): Promise<string[][]>
}

interface StoredItem {
  value: Record<string, unknown>
  key: string
  namespace: string[]
  createdAt: Date
  updatedAt: Date
}

interface SearchOptions {
  filter?: Record<string, unknown>
  limit?: number
  offset?: number
  query?: string
}

interface NamespaceOptions {
  prefix?: string[]
  suffix?: string[]
  maxDepth?: number
  limit?: number
  offset?: number
}

/** The input of every case: an empty store. */
export interface ItemStoreGiven {
  readonly store: ItemStore
}

const DOCS = ['docs', 'ann']
const PEOPLE = ['people']

const keysOf = (items: readonly StoredItem[]): string[] => items.map(({ key }) => key).sort()

const batch = async (store: ItemStore, operations: readonly object[]): Promise<unknown[]> =>
  (await store.batch(operations as never)) as unknown[] // an answer for each operation

async function withPeople({ store }: ItemStoreGiven): Promise<ItemStore> {
  await store.put(PEOPLE, 'ann', { age: 30, city: 'Berlin', active: true })
  await store.put(PEOPLE, 'bob', { age: 40, city: 'Rome', active: false })
  await store.put(PEOPLE, 'cleo', { age: 50, city: 'Berlin' })
  return store
}

/** The people that a filter lets through. */
const filters = (title: string, filter: Record<string, unknown>, keys: readonly string[]) =>
  shows<ItemStoreGiven>(`a filter ${title}`, async (given) => {
    const store = await withPeople(given)
    deepStrictEqual(keysOf(await store.search(PEOPLE, { filter })), keys)
  })

/** Namespaces that options list, out of four. */
const lists = (title: string, options: NamespaceOptions, expected: readonly string[]) =>
  shows<ItemStoreGiven>(`namespaces are listed ${title}`, async ({ store }) => {
    for (const path of ['a/b/c', 'a/b/d', 'a/x', 'z/c']) await store.put(path.split('/'), 'k', {})
    const found = await store.listNamespaces(options)
    deepStrictEqual(
      found.map((path) => path.join('/')),
      expected,
    )
  })

/** The promises of a LangGraph store. Run each case on an empty store. */
export const LANGGRAPH_STORE_SUITE: readonly Case<ItemStoreGiven>[] = [
  shows('an item comes back as it was put', async ({ store }) => {
    const value = { text: 'one', list: [1, { two: 2 }], none: null, yes: true, 'ü "': 'ö\n' }
    await store.put(DOCS, 'first', value)
    const item = await store.get(DOCS, 'first')
    deepStrictEqual(item?.value, value)
    strictEqual(item?.key, 'first')
    deepStrictEqual(item?.namespace, DOCS)
    ok(item.createdAt instanceof Date && item.updatedAt instanceof Date)
  }),
  shows('an item that is not there is null', async ({ store }) => {
    strictEqual(await store.get(DOCS, 'nothing'), null)
    await store.put(DOCS, 'first', {})
    strictEqual(await store.get(['docs'], 'first'), null)
    strictEqual(await store.get(DOCS, 'First'), null)
  }),
  shows('a second put replaces the value and keeps the time of creation', async ({ store }) => {
    await store.put(DOCS, 'k', { old: 1, both: 1 })
    const before = await store.get(DOCS, 'k')
    const { createdAt } = before ?? {}
    await store.put(DOCS, 'k', { both: 2 })
    const after = await store.get(DOCS, 'k')
    deepStrictEqual(after?.value, { both: 2 })
    strictEqual(after?.createdAt.getTime(), createdAt?.getTime())
    ok(after.updatedAt.getTime() >= after.createdAt.getTime())
  }),
  shows('equal keys in other namespaces are other items', async ({ store }) => {
    await store.put(['a'], 'k', { n: 1 })
    await store.put(['a', 'b'], 'k', { n: 2 })
    deepStrictEqual((await store.get(['a'], 'k'))?.value, { n: 1 })
    deepStrictEqual((await store.get(['a', 'b'], 'k'))?.value, { n: 2 })
  }),
  shows('equal values under two keys are two items', async ({ store }) => {
    await store.put(DOCS, 'one', { same: true })
    await store.put(DOCS, 'two', { same: true })
    deepStrictEqual(keysOf(await store.search(DOCS)), ['one', 'two'])
  }),
  shows('a deleted item is gone, and may be put again', async ({ store }) => {
    await store.put(DOCS, 'k', { n: 1 })
    await store.delete(DOCS, 'k')
    strictEqual(await store.get(DOCS, 'k'), null)
    deepStrictEqual(await store.search(DOCS), [])
    await store.put(DOCS, 'k', { n: 1 })
    deepStrictEqual((await store.get(DOCS, 'k'))?.value, { n: 1 })
  }),
  shows('deleting what is not there is no error', async ({ store }) => {
    await store.delete(DOCS, 'nothing')
  }),
  shows('many puts of one key end with the last', async ({ store }) => {
    for (let count = 0; count < 30; count += 1) await store.put(DOCS, 'counter', { count })
    deepStrictEqual((await store.get(DOCS, 'counter'))?.value, { count: 29 })
    for (const flag of [true, false, true, false]) await store.put(DOCS, 'flag', { flag })
    deepStrictEqual((await store.get(DOCS, 'flag'))?.value, { flag: false })
  }),
  shows('many items with equal values all stay', async ({ store }) => {
    for (let key = 0; key < 30; key += 1) await store.put(DOCS, `key ${key}`, { text: 'equal' })
    strictEqual((await store.search(DOCS, { limit: 100 })).length, 30)
  }),
  shows('a batch answers each operation in its place', async ({ store }) => {
    await store.put(DOCS, 'k', { n: 1 })
    const answers = await batch(store, [
      { namespace: DOCS, key: 'nothing' },
      { namespacePrefix: ['docs'], limit: 5 },
      { namespace: DOCS, key: 'k' },
      { matchConditions: [{ matchType: 'prefix', path: ['docs'] }], limit: 10, offset: 0 },
    ])
    strictEqual(answers.length, 4)
    strictEqual(answers[0], null)
    deepStrictEqual(keysOf(answers[1] as StoredItem[]), ['k'])
    deepStrictEqual((answers[2] as StoredItem).value, { n: 1 })
    deepStrictEqual(answers[3], [DOCS])
  }),
  shows('of several puts of one key in a batch the last counts', async ({ store }) => {
    await batch(store, [
      { namespace: DOCS, key: 'k', value: { n: 1 } },
      { namespace: DOCS, key: 'other', value: { n: 2 } },
      { namespace: DOCS, key: 'k', value: { n: 3 } },
    ])
    deepStrictEqual((await store.get(DOCS, 'k'))?.value, { n: 3 })
    deepStrictEqual((await store.get(DOCS, 'other'))?.value, { n: 2 })
  }),
  shows('reads of a batch see the items before its puts', async ({ store }) => {
    const [before] = await batch(store, [
      { namespace: DOCS, key: 'k' },
      { namespace: DOCS, key: 'k', value: { n: 1 } },
    ])
    strictEqual(before, null)
    deepStrictEqual((await store.get(DOCS, 'k'))?.value, { n: 1 })
  }),
  shows('a null value in a batch deletes', async ({ store }) => {
    await store.put(DOCS, 'k', { n: 1 })
    await batch(store, [{ namespace: DOCS, key: 'k', value: null }])
    strictEqual(await store.get(DOCS, 'k'), null)
  }),
  shows('a search covers every namespace below its prefix', async ({ store }) => {
    await store.put(['a'], 'top', {})
    await store.put(['a', 'b'], 'below', {})
    await store.put(['b'], 'beside', {})
    deepStrictEqual(keysOf(await store.search(['a'])), ['below', 'top'])
    deepStrictEqual(keysOf(await store.search(['a', 'b'])), ['below'])
    deepStrictEqual(keysOf(await store.search([])), ['below', 'beside', 'top'])
    deepStrictEqual(await store.search(['c']), [])
  }),
  shows('a search gives ten items, or as many as asked for, page by page', async ({ store }) => {
    for (let key = 0; key < 12; key += 1) await store.put(DOCS, `k${key}`, {})
    strictEqual((await store.search(DOCS)).length, 10)
    const first = await store.search(DOCS, { limit: 5 })
    const rest = await store.search(DOCS, { limit: 100, offset: 5 })
    strictEqual(first.length, 5)
    strictEqual(new Set([...first, ...rest].map(({ key }) => key)).size, 12)
    deepStrictEqual(await store.search(DOCS, { offset: 12 }), [])
  }),
  shows('a search with a query finds items', async ({ store }) => {
    await store.put(DOCS, 'tea', { text: 'green tea from Japan' })
    await store.put(DOCS, 'car', { text: 'a red car' })
    const found = await store.search(DOCS, { query: 'green tea', limit: 2 })
    ok(found.some(({ key }) => key === 'tea'))
  }),
  filters('by a plain value', { city: 'Berlin' }, ['ann', 'cleo']),
  filters('by two fields at once', { city: 'Berlin', age: 30 }, ['ann']),
  filters('by false finds false and not what is missing', { active: false }, ['bob']),
  filters('by a field that no item has finds nothing', { planet: 'Mars' }, []),
  filters('by $eq', { city: { $eq: 'Rome' } }, ['bob']),
  filters('by $ne also finds items without the field', { active: { $ne: true } }, ['bob', 'cleo']),
  filters('by $gt', { age: { $gt: 40 } }, ['cleo']),
  filters('by $gte', { age: { $gte: 40 } }, ['bob', 'cleo']),
  filters('by $lt', { age: { $lt: 40 } }, ['ann']),
  filters('by $lte', { age: { $lte: 40 } }, ['ann', 'bob']),
  filters('by two operators at once', { age: { $gt: 30, $lt: 50 } }, ['bob']),
  lists('all, in order', {}, ['a/b/c', 'a/b/d', 'a/x', 'z/c']),
  lists('by a prefix', { prefix: ['a', 'b'] }, ['a/b/c', 'a/b/d']),
  lists('by a suffix', { suffix: ['c'] }, ['a/b/c', 'z/c']),
  lists('by a prefix with a wildcard', { prefix: ['*', 'x'] }, ['a/x']),
  lists('by a prefix and a suffix', { prefix: ['a'], suffix: ['c'] }, ['a/b/c']),
  lists('cut to a depth, each once', { maxDepth: 2 }, ['a/b', 'a/x', 'z/c']),
  lists('page by page', { limit: 2, offset: 1 }, ['a/b/d', 'a/x']),
  shows('a namespace that is empty or holds a period is refused', async ({ store }) => {
    for (const namespace of [[], ['a.b'], ['']]) {
      const refused = await store.put(namespace, 'k', {}).then(
        () => false,
        () => true,
      )
      ok(refused, `refused: ${JSON.stringify(namespace)}`)
    }
  }),
]
