import { describe, expect, test } from 'vitest'
import type { SearchResult, StackComponent } from '../../src/ports/component.ts'
import { found, never, part, registryOf, saved } from './component-registry.ts'

const throws = (): never => {
  throw new Error('boom')
}
const unfolding = (): unknown[] => {
  let list: unknown[] = []
  for (let depth = 0; depth < 14; depth += 1) list = Array.from({ length: 9 }, () => list)
  return list
}
const cyclic = (): object => {
  const self: Record<string, unknown> = {}
  self.self = self
  return self
}
/** A hook that hands back whatever a test likes. */
const gives = (value: unknown) => (() => value) as () => never

const RUBBISH: readonly (readonly [string, () => unknown])[] = [
  ['a text', () => 'fields'],
  ['a list', () => [1]],
  ['a function inside', () => ({ f: () => 1 })],
  ['a bigint inside', () => ({ n: 1n })],
  ['a number that is not finite', () => ({ n: Number.NaN })],
  ['a class instance', () => ({ at: new Date(0) })],
  ['a lone surrogate', () => ({ text: '\ud800' })],
  ['a cycle', cyclic],
  ['branches that unfold without end', () => ({ list: unfolding() })],
  ['too much', () => ({ text: 'x'.repeat(70_000) })],
  ['a list of a length that is only claimed', () => ({ list: new Array(4_000_000_000) })],
  [
    'a getter that throws',
    () => ({
      get n() {
        return throws()
      },
    }),
  ],
  ['an own __proto__', () => JSON.parse('{"__proto__":{"n":1}}')],
  ['a promise of rubbish', () => Promise.resolve('fields')],
  ['what throws when it is awaited', () => new Proxy({}, { get: throws })],
]

describe('what is registered', () => {
  test('components are kept in order, by name, in a record that nobody changes', () => {
    const { registry } = registryOf(part('b'), part('a'))
    const third = part('c')
    registry.add(third)
    expect(Object.keys(registry.asRecord())).toEqual(['b', 'a', 'c'])
    expect(Object.isFrozen(registry.asRecord())).toBe(true)
    expect(registry.get('c')).toBe(third)
    expect(registry.get('toString')).toBeNull()
  })

  test('a name is taken once', () => {
    const { registry } = registryOf(part('twin'))
    expect(() => registry.add(part('twin'))).toThrow(
      expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining('twin') }),
    )
  })

  test('a component goes, unless it is required or not there', () => {
    const { registry } = registryOf(part('loose'), part('fixed', { required: true }))
    registry.remove('loose')
    expect(Object.keys(registry.asRecord())).toEqual(['fixed'])
    expect(() => registry.remove('loose')).toThrow(expect.objectContaining({ code: 'not_found' }))
    expect(() => registry.remove('fixed')).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        message: expect.stringMatching(/required/),
      }),
    )
  })

  test('what is no component is refused with every reason', () => {
    const { registry } = registryOf()
    const bad = { name: '__proto__', required: 1, onSave: 'later' } as unknown as StackComponent
    expect(() => registry.add(bad)).toThrow(
      expect.objectContaining({
        issues: ['name', 'version', 'required', 'needsInference', 'onSave'].map((path) =>
          expect.objectContaining({ path }),
        ),
      }),
    )
    expect(() => registry.add(null as unknown as StackComponent)).toThrow('object')
  })

  test('a component that renames itself or loses a hook later stays what it was', async () => {
    const changing = { ...part('first', { onMaintenance: () => ({ n: 1 }) }) }
    const { registry } = registryOf(changing)
    Object.assign(changing, { name: 'second', onMaintenance: throws })
    expect(await registry.dispatchMaintenance()).toEqual({ first: { n: 1 } })
  })
})

describe('saving', () => {
  test('fields are gathered by component, from hooks of either manner, with `this`', async () => {
    class Tagger {
      name = 'tagger'
      version = '1'
      required = false
      needsInference = false
      tag = 'wet'
      onSave() {
        return { tag: this.tag }
      }
    }
    const { registry } = registryOf(
      new Tagger(),
      part('quiet', { onSave: () => null }),
      part('slow', { onSave: async ({ memory }) => ({ length: memory.text.length }) }),
    )
    expect(registry.listens('onSave')).toBe(true)
    expect(await registry.dispatchSave(saved())).toEqual({
      tagger: { tag: 'wet' },
      slow: { length: 4 },
    })
  })

  test('nothing returned is nothing kept', async () => {
    const { registry } = registryOf(part('quiet', { onSave: async () => undefined }), part('deaf'))
    expect(await registry.dispatchSave(saved())).toBeNull()
    expect(registry.errors()).toEqual({})
  })

  test('what was returned cannot be changed afterwards', async () => {
    const mine = { deep: { n: 1 } }
    const { registry } = registryOf(part('sly', { onSave: () => mine }))
    const kept = await registry.dispatchSave(saved())
    mine.deep.n = 2
    expect(kept).toEqual({ sly: { deep: { n: 1 } } })
  })

  test('a component that writes on its input fails alone', async () => {
    const event = saved()
    const vandal = part('vandal', {
      onSave: ({ memory }) => {
        Object.assign(memory.body, { content: 'sun' })
        return { done: true }
      },
    })
    const { registry } = registryOf(vandal, part('next', { onSave: (e) => ({ ...e.memory.body }) }))
    const kept = await registry.dispatchSave(event)
    expect(kept).toEqual({ next: { content: 'rain', tags: ['weather'] } })
    expect(event.memory.body).toEqual({ content: 'rain', tags: ['weather'] })
    expect(registry.errors()).toEqual({ vandal: [expect.objectContaining({ hook: 'onSave' })] })
  })

  test.each(RUBBISH)('%s is not kept, and counted', async (_, make) => {
    const { registry } = registryOf(
      part('rubbish', { onSave: () => make() as never }),
      part('good', { onSave: () => ({ n: -0 }) }),
    )
    expect(await registry.dispatchSave(saved())).toEqual({ good: { n: 0 } })
    expect(registry.errors().rubbish).toEqual([
      { hook: 'onSave', count: 1, lastMessage: expect.any(String), lastAt: expect.any(String) },
    ])
  })
})

describe('failing', () => {
  test.each<readonly [string, () => unknown, string]>([
    ['throws', throws, 'boom'],
    ['rejects', () => Promise.reject(new Error('bang')), 'bang'],
    [
      'throws a text',
      () => {
        throw 'text'
      },
      'text',
    ],
    [
      'throws nothing',
      () => {
        throw undefined
      },
      'undefined',
    ],
    [
      'throws what has no text',
      () => {
        throw Object.create(null)
      },
      'cannot be read',
    ],
  ])('a component that %s is counted, with its last words', async (_, fail, message) => {
    const { registry } = registryOf(part('bad', { onSave: fail as () => never }))
    expect(await registry.dispatchSave(saved())).toBeNull()
    expect(await registry.dispatchSave(saved())).toBeNull()
    const [error] = registry.errors().bad ?? []
    expect(error).toMatchObject({ hook: 'onSave', count: 2, lastAt: '2026-01-01T00:00:00.000Z' })
    expect(error?.lastMessage).toContain(message)
  })

  test('what failed stays visible when its component is gone', async () => {
    const { registry } = registryOf(part('bad', { onSave: throws }))
    await registry.dispatchSave(saved())
    registry.remove('bad')
    expect(Object.keys(registry.errors())).toEqual(['bad'])
  })

  test('a hook that hangs is left behind and not waited for again until it is back', async () => {
    let comeBack = (): void => {}
    const hangs = part('hangs', {
      onSave: () =>
        new Promise((resolve) => {
          comeBack = () => resolve({ late: true })
        }),
    })
    const { registry, expire, waiting } = registryOf(hangs, part('ok', { onSave: () => ({}) }))
    const first = registry.dispatchSave(saved())
    await expire()
    expect(await first).toEqual({ ok: {} })
    expect(registry.errors().hangs?.[0]?.lastMessage).toMatch('5000 ms')

    expect(await registry.dispatchSave(saved())).toEqual({ ok: {} })
    expect(registry.errors().hangs?.[0]).toMatchObject({ count: 2, lastMessage: /busy/ })

    comeBack()
    await expire()
    const third = registry.dispatchSave(saved())
    await Promise.resolve()
    comeBack()
    expect(await third).toEqual({ hangs: { late: true }, ok: {} })
    expect(waiting.size).toBe(0)
  })

  test('maintenance may take its time, and one that fails says so', async () => {
    const { registry, waiting } = registryOf(
      part('bad', { onMaintenance: throws }),
      part('odd', { onMaintenance: gives('done') }),
      part('quiet', { onMaintenance: gives(undefined) }),
      part('good', { onMaintenance: async () => ({ swept: 3 }) }),
    )
    expect(await registry.dispatchMaintenance()).toEqual({
      bad: { error: 'boom' },
      odd: { error: expect.stringContaining('plain object') },
      good: { swept: 3 },
    })
    expect(waiting.size).toBe(0)
  })
})

describe('searching', () => {
  const query = { text: 'rain', limit: 3 }
  const results = [found(1), found(2)]

  test('each gets what the one before made of it, in the order of registration', async () => {
    const seen: string[] = []
    const noting = (name: string) =>
      part(name, {
        onSearch: (given) => {
          seen.push(`${name}:${given.map(({ content }) => content).join()}`)
          return given.reverse().map((r) => ({ ...r, metadata: { ...r.metadata, [name]: true } }))
        },
      })
    const { registry } = registryOf(noting('z'), noting('a'))
    const out = await registry.dispatchSearch(results, query)
    expect(seen).toEqual(['z:note 1,note 2', 'a:note 2,note 1'])
    expect(out.map(({ content }) => content)).toEqual(['note 1', 'note 2'])
    expect(out[0]?.metadata).toEqual({ confidence: 0.8, z: true, a: true })
  })

  test('a filter and new scores are taken', async () => {
    const { registry } = registryOf(
      part('filter', { onSearch: (given) => given.slice(0, 1).map((r) => ({ ...r, score: 7 })) }),
    )
    expect(await registry.dispatchSearch(results, query)).toEqual([found(1, { score: 7 })])
  })

  test.each<readonly [string, (given: SearchResult[]) => unknown]>([
    ['throws', throws],
    ['returns nothing', () => undefined],
    ['returns no results', () => [1, null]],
    ['returns holes', () => new Array(2)],
    ['changes what a memory says', (given) => given.map((r) => ({ ...r, content: 'lies' }))],
    ['changes metadata', (given) => given.map((r) => ({ ...r, metadata: { confidence: 1 } }))],
    ['drops metadata', (given) => given.map((r) => ({ ...r, metadata: {} }))],
    ['scores without a number', (given) => given.map((r) => ({ ...r, score: Number.NaN }))],
    ['returns one twice', (given) => [given[0], given[0]]],
    ['invents a memory', (given) => [...given, found(3)]],
    ['signs another name', (given) => [...given, found(3, { metadata: { addedBy: 'other' } })]],
    ['adds what may not be shown', (g) => [...g, found(3, { metadata: { addedBy: 'bad' } })]],
    [
      'claims what was there',
      (g) => g.map((r) => ({ ...r, metadata: { ...r.metadata, addedBy: 'bad' } })),
    ],
    [
      'returns more than was asked for',
      (given) => [3, 4].map((n) => found(n, { metadata: { addedBy: 'bad' } })).concat(given),
    ],
    [
      'spoils what it was given and throws',
      (given) => {
        for (const result of given) Object.assign(result, { content: 'spoilt' })
        given.length = 0
        throws()
      },
    ],
  ])('a component that %s changes nothing', async (_, onSearch) => {
    const { registry } = registryOf(part('bad', { onSearch: onSearch as () => never }))
    expect(await registry.dispatchSearch(results, query)).toEqual([found(1), found(2)])
    expect(results).toEqual([found(1), found(2)])
    expect(registry.errors().bad?.[0]).toMatchObject({ hook: 'onSearch', count: 1 })
  })

  test('a memory may be added when the stack vouches for it, in the stack’s own words', async () => {
    const metadata = { addedBy: 'near', confidence: 1, why: 'neighbour' }
    const { registry } = registryOf(
      part('near', {
        onSearch: (given) => [...given, found(3, { content: 'lies', score: 0.1, metadata })],
      }),
    )
    const vouch = async () => found(3)
    expect((await registry.dispatchSearch(results, query, vouch)).at(-1)).toEqual(
      found(3, { score: 0.1, metadata: { addedBy: 'near', why: 'neighbour', confidence: 0.8 } }),
    )
  })

  test('not even memories that the stack vouches for go beyond the limit', async () => {
    const adds = (count: number) =>
      part('many', {
        onSearch: (given) =>
          given.concat(
            Array.from({ length: count }, (_, n) =>
              found(n + 3, { metadata: { addedBy: 'many' } }),
            ),
          ),
      })
    const counted = async (count: number) => {
      const { registry } = registryOf(adds(count))
      const vouch = async (_: string, id: string) => found(Number.parseInt(id.slice(-2), 16))
      return (await registry.dispatchSearch(results, query, vouch)).length
    }
    expect([await counted(1), await counted(2)]).toEqual([3, 2])
  })
})

describe('loading', () => {
  test('components add members of their own, and see those before them', async () => {
    const { registry } = registryOf(
      part('first', {
        onLoad: (context) => {
          context.mood = { level: 'calm' }
        },
      }),
      part('second', {
        onLoad: async (context) => {
          context.seen = Object.keys(context)
        },
      }),
    )
    expect(await registry.dispatchLoad({ values: [1] })).toEqual({
      values: [1],
      mood: { level: 'calm' },
      seen: ['values', 'mood'],
    })
  })

  test.each<readonly [string, (context: Record<string, unknown>) => unknown]>([
    [
      'replaces',
      (context) => {
        context.values = []
      },
    ],
    [
      'deletes',
      (context) => {
        delete context.values
      },
    ],
    [
      'reaches into',
      (context) => {
        ;(context.values as number[]).push(2)
      },
    ],
    [
      'adds and throws beside',
      (context) => {
        context.half = 1
        throws()
      },
    ],
    [
      'adds a function beside',
      (context) => {
        context.mine = throws
      },
    ],
    [
      'adds a prototype beside',
      (context) => {
        Object.defineProperty(context, '__proto__', { value: { n: 1 }, enumerable: true })
      },
    ],
  ])('a component that %s what is there changes nothing', async (_, onLoad) => {
    const { registry } = registryOf(part('bad', { onLoad: onLoad as () => void }))
    const context = { values: [1] }
    expect(await registry.dispatchLoad(context)).toEqual({ values: [1] })
    expect(context).toEqual({ values: [1] })
    expect(registry.errors().bad?.[0]).toMatchObject({ hook: 'onLoad', count: 1 })
  })

  test('what a hanging component adds later is not there', async () => {
    let late: Record<string, unknown> = {}
    const { registry, expire } = registryOf(
      part('hangs', {
        onLoad: (context) => {
          late = context
          return never()
        },
      }),
    )
    const loading = registry.dispatchLoad({ values: [1] })
    await expire()
    const loaded = await loading
    late.values = 'late'
    expect(loaded).toEqual({ values: [1] })
  })
})
