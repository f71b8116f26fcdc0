import { describe, expect, it } from 'vitest'
import { MunimentError } from '../domain/errors.ts'
import { canonicalize } from './canonical.ts'

function refusalOf(value: unknown, depthMax?: number): MunimentError {
  try {
    canonicalize(value, depthMax === undefined ? {} : { depthMax })
  } catch (error) {
    if (error instanceof MunimentError) return error
    throw error
  }
  throw new Error('it was taken')
}

class Point {
  x = 1
}

const withSymbol = { a: 1, [Symbol('s')]: 2 }
const withExtra = Object.assign([1, 2], { extra: 3 })
class Items extends Array<unknown> {}

/** Each beside a near relative that is taken, so that a writer that refuses all would fail. */
const REFUSED: readonly (readonly [what: string, refused: unknown, taken: unknown])[] = [
  ['NaN', Number.NaN, 0],
  ['Infinity', Number.POSITIVE_INFINITY, Number.MAX_VALUE],
  ['-Infinity', Number.NEGATIVE_INFINITY, -Number.MAX_VALUE],
  ['a BigInt', 1n, 1],
  ['undefined', undefined, null],
  ['a function', () => 1, 'f'],
  ['a symbol', Symbol('s'), 's'],
  ['a lone high surrogate', 'a\ud800', 'a\ud800\udc00'],
  ['a lone low surrogate', '\udc00a', '\ud800\udc00a'],
  ['a long text with a lone surrogate', `${'a'.repeat(100)}\ud800`, 'a'.repeat(101)],
  ['an array with a hole', new Array(1), [null]],
  ['an array with a property of its own', withExtra, [1, 2]],
  ['the result of a match', /a/.exec('a'), ['a']],
  ['a kind of array', Items.from([1]), [1]],
  ['a Date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['a Map', new Map([['a', 1]]), { a: 1 }],
  ['a Set', new Set([1]), [1]],
  ['a boxed string', Object('a'), 'a'],
  ['a boxed number', Object(1), 1],
  ['a boxed boolean', Object(true), true],
  ['a typed array', Uint8Array.of(1), { '0': 1 }],
  ['an ArrayBuffer', new ArrayBuffer(1), {}],
  ['an instance of a class', new Point(), { x: 1 }],
  ['an object over another', Object.create({ a: 1 }), Object.create(null)],
  ['an object with a symbol on it', withSymbol, { a: 1 }],
  ['an object that would convert itself', { toJSON: () => 1 }, { toJSON: 1 }],
  ['an error', new Error('no'), { message: 'no' }],
  ['a promise', Promise.resolve(1), 1],
]

describe('canonicalize refuses', () => {
  it.each(REFUSED)('%s, at the top, in an array and in an object', (_what, refused, taken) => {
    for (const [wrap, path] of [
      [(value: unknown) => value, ''],
      [(value: unknown) => [0, value], '/1'],
      [(value: unknown) => ({ a: { b: value } }), '/a/b'],
    ] as const) {
      expect(() => canonicalize(wrap(taken))).not.toThrow()
      const error = refusalOf(wrap(refused))
      expect(error.code).toBe('not_canonical')
      expect(error.issues[0]?.path.startsWith(path)).toBe(true)
    }
  })

  it('a key with a lone surrogate, naming only what holds it', () => {
    expect(canonicalize({ a: { '\ud800\udc00': 1 } })).toBe('{"a":{"\ud800\udc00":1}}')
    expect(refusalOf({ a: { '\ud800': 1 } }).issues).toEqual([
      { path: '/a', message: 'a key has a lone surrogate' },
    ])
  })

  it('an undefined member, where JSON.stringify would drop it', () => {
    expect(refusalOf({ a: undefined }).issues).toEqual([
      { path: '/a', message: 'undefined has no JSON form' },
    ])
  })

  it('nesting beyond the limit, and takes nesting up to it', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])
    expect(canonicalize(nested(128))).toHaveLength(257)
    expect(refusalOf(nested(129)).issues).toEqual([
      { path: '/0'.repeat(128), message: 'nested deeper than 128' },
    ])
    expect(canonicalize(nested(3), { depthMax: 3 })).toBe('[[[1]]]')
    expect(refusalOf(nested(4), 3).issues).toHaveLength(1)
  })

  it('a cycle, naming where it closes', () => {
    const holder: Record<string, unknown> = { a: { b: [] } }
    holder.a = { b: [1, holder], c: holder }
    expect(refusalOf(holder).issues).toEqual([
      { path: '/a/b/1', message: 'holds itself' },
      { path: '/a/c', message: 'holds itself' },
    ])
  })

  it('every bad place at once, in paths that escape as JSON pointers do', () => {
    const value = { 'a/b': Number.NaN, 'c~d': [1, undefined], fine: 'yes' }
    expect(refusalOf(value).issues).toEqual([
      { path: '/a~1b', message: 'not a finite number' },
      { path: '/c~0d/1', message: 'undefined has no JSON form' },
    ])
  })

  it('without quoting what it found', () => {
    const error = refusalOf({ a: 'secret\ud800', b: Object('secret') })
    expect(JSON.stringify([error.message, error.issues, error.facts])).not.toContain('secret')
    expect(error.issues).toHaveLength(2)
  })

  it('something shared that is fine high up and too deep further down', () => {
    const shared = [[1]]
    expect(refusalOf([shared, [[shared]]], 4).issues).toEqual([
      { path: '/1/0/0/0', message: 'nested deeper than 4' },
    ])
    expect(canonicalize([shared, [[shared]]], { depthMax: 5 })).toBe('[[[1]],[[[[1]]]]]')
  })

  it('a web of shared objects in time that does not double with every level', () => {
    let web: unknown = Number.NaN
    for (let level = 0; level < 100; level++) web = [web, web]
    expect(refusalOf(web).issues.length).toBeGreaterThan(0)
  })

  it('a value that is bad on the first look and fine on the second', () => {
    let looks = 0
    const shifty = {
      get a(): unknown {
        return looks++ === 0 ? undefined : 1
      },
    }
    expect(refusalOf(shifty).issues).toEqual([{ path: '', message: 'changed while it was read' }])
  })
})
