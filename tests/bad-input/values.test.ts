import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import type { MemoryId } from '../../src/domain/ids.ts'
import { holds } from '../support/holds.ts'
import { type Ending, ending, firstHand, ground, SECRET, saidBy } from './ground.ts'

class Money {
  readonly cents = 100
}

const nested = (depth: number): unknown => {
  let value: unknown = SECRET
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

const cycle: unknown[] = [SECRET]
cycle.push(cycle)

const throwing = () => ({
  get a(): never {
    throw new Error(SECRET)
  },
})

const hostile = () =>
  new Proxy(
    { a: 1 },
    {
      ownKeys: () => {
        throw new Error(SECRET)
      },
    },
  )

/** What has no JSON form of its own, or would change on its way through one. */
const REFUSED: readonly (readonly [string, unknown])[] = [
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['undefined', undefined],
  ['a bigint', 1n],
  ['a symbol', Symbol(SECRET)],
  ['a function', () => SECRET],
  ['a Date', new Date(0)],
  ['a Map', new Map([[SECRET, 1]])],
  ['a Set', new Set([SECRET])],
  ['a class instance', new Money()],
  ['a regular expression', /kanari-secret/],
  ['bytes', new Uint8Array([1, 2])],
  ['a boxed number', Object(1)],
  ['an Error', new Error(SECRET)],
  ['a promise', Promise.resolve(SECRET)],
  ['an object that inherits', Object.create({ secret: SECRET })],
  ['a member __proto__', JSON.parse('{"__proto__":{"secret":"kanari-secret"}}')],
  ['a symbol for a name', { [Symbol(SECRET)]: 1 }],
  ['toJSON', { toJSON: () => SECRET }],
  ['a lone surrogate', `${SECRET}\ud800`],
  ['a lone surrogate for a name', { [`${SECRET}\udfff`]: 1 }],
  ['ten thousand arrays inside one another', nested(10_000)],
  ['something that holds itself', cycle],
  ['a getter that throws', throwing()],
  ['a proxy that throws', hostile()],
]

const KEPT: readonly (readonly [string, unknown, unknown])[] = [
  ['-0, which is 0', -0, 0],
  ['1e308', 1e308, 1e308],
  ['5e-324', 5e-324, 5e-324],
  ['2^53 + 1, as far as a number holds it', 2 ** 53 + 1, 9_007_199_254_740_992],
  ['0.1 + 0.2', 0.1 + 0.2, 0.30000000000000004],
  ['null', null, null],
  ['false', false, false],
  ['an empty text', '', ''],
  ['empty containers', [{}, []], [{}, []]],
  ['a member that is undefined, which is absent', { a: undefined, b: 1 }, { b: 1 }],
  ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ['an object of another realm', runInNewContext('({ a: [1] })'), { a: [1] }],
  ['a getter, read once', { get a() { return 1 } }, { a: 1 }], // biome-ignore format: one line a value
  ['a proxy that behaves', new Proxy({ a: 1 }, {}), { a: 1 }],
  ['constructor and prototype', { constructor: 1, prototype: 2 }, { constructor: 1, prototype: 2 }],
]

async function claim(value: unknown): Promise<Ending & { readonly found: unknown }> {
  const { stack, raw } = await ground()
  const body = { subject: 'someone', predicate: 'has', value }
  const ended = await ending(stack, async () => {
    const { id } = await stack.write({
      kind: 'claim',
      body: body as never, // that is what is tried
      provenance: firstHand({ derivedFrom: [raw] }),
    })
    return id as MemoryId // a claim from a raw is not refused
  })
  const memory = ended.kept ? await stack.getMemory('claim', ended.id) : null
  return { ...ended, found: memory?.body.value }
}

describe('values of a claim', () => {
  test.each(REFUSED)('%s is refused, and not quoted', async (_, value) => {
    for (const tried of [value, [value], { inside: [value] }]) {
      if (value === undefined && tried !== value && !Array.isArray(tried)) continue
      const ended = await claim(tried)
      expect(ended.kept).toBe(false)
      if (!ended.kept) expect(saidBy(ended.error)).not.toContain(SECRET)
    }
  })

  test.each(KEPT)('%s', async (_, value, kept) => {
    const ended = await claim(value)
    expect(ended.kept).toBe(true)
    expect(ended.found).toStrictEqual(kept)
  })
})

describe('records that are no plain data', () => {
  const tried: readonly (readonly [string, unknown])[] = [
    ['null', null],
    ['undefined', undefined],
    ['a text', SECRET],
    ['a list', [SECRET]],
    ['a Map', new Map([['content', SECRET]])],
    ['a Date', new Date(0)],
    ['a function', () => SECRET],
    ['a getter that throws', throwing()],
    ['a proxy that throws', hostile()],
  ]

  test.each(tried)('%s for a body', async (_, body) => {
    const { stack } = await ground()
    const ended = await ending(stack, async () => {
      const provenance = firstHand()
      const written = await stack.write({ kind: 'raw', body: body as never, provenance }) // tried
      return written.id as MemoryId // never reached
    })
    expect(ended.kept).toBe(false)
    if (!ended.kept) expect(saidBy(ended.error)).not.toContain(SECRET)
  })

  test.each(tried)('%s for a record', async (_, record) => {
    const { stack } = await ground()
    const ended = await ending(stack, () => stack.saveRaw(record as never)) // that is tried
    expect(ended.kept).toBe(false)
    if (!ended.kept) expect(saidBy(ended.error)).not.toContain(SECRET)
  })

  test.each(tried)('%s for provenance', async (_, provenance) => {
    const { stack } = await ground()
    const body = { content: SECRET }
    const ended = await ending(stack, async () => {
      const written = await stack.write({ kind: 'raw', body, provenance: provenance as never }) // tried
      return written.id as MemoryId // never reached
    })
    expect(ended.kept).toBe(false)
    if (!ended.kept) expect(saidBy(ended.error)).not.toContain(SECRET)
  })
})

holds(
  'PROV-FIXED',
  'what is changed in the caller’s hands afterwards changes nothing',
  async () => {
    const { stack, raw } = await ground()
    const value = { list: [1] }
    const derivedFrom = [raw]
    const tags = ['a']
    const writing = stack.write({
      kind: 'claim',
      body: { subject: 'someone', predicate: 'has', value, tags },
      provenance: firstHand({ derivedFrom }),
    })
    value.list.push(2)
    tags.push('b')
    derivedFrom.length = 0
    const { id } = await writing
    const memory = await stack.getMemory('claim', String(id))
    expect(memory?.body).toMatchObject({ value: { list: [1] }, tags: ['a'] })
    expect(memory?.provenance.derivedFrom).toEqual([raw])
    // What was read is the reader's own: writing on it writes on nothing else.
    Object.assign(memory?.body ?? {}, { subject: 'nobody' })
    Object.assign(memory?.provenance ?? {}, { trustTier: 3 })
    const again = await stack.getMemory('claim', String(id))
    expect(again?.body.subject).toBe('someone')
    expect(again?.provenance.trustTier).toBe(2)
    expect((await stack.ledger.audit()).ok).toBe(true)
  },
)
