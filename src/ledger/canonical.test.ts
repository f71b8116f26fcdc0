import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import referenceCanonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dataFolder, titleWithData } from '../../tests/support/data.ts'
import { MunimentError } from '../domain/errors.ts'
import { canonicalBytes, canonicalize } from './canonical.ts'

// RFC 8785, appendix B.
const NUMBERS: readonly (readonly [bits: bigint, text: string])[] = [
  [0x0000000000000000n, '0'],
  [0x8000000000000000n, '0'],
  [0x0000000000000001n, '5e-324'],
  [0x8000000000000001n, '-5e-324'],
  [0x7fefffffffffffffn, '1.7976931348623157e+308'],
  [0xffefffffffffffffn, '-1.7976931348623157e+308'],
  [0x4340000000000000n, '9007199254740992'],
  [0xc340000000000000n, '-9007199254740992'],
  [0x4430000000000000n, '295147905179352830000'],
  [0x44b52d02c7e14af5n, '9.999999999999997e+22'],
  [0x44b52d02c7e14af6n, '1e+23'],
  [0x44b52d02c7e14af7n, '1.0000000000000001e+23'],
  [0x444b1ae4d6e2ef4en, '999999999999999700000'],
  [0x444b1ae4d6e2ef4fn, '999999999999999900000'],
  [0x444b1ae4d6e2ef50n, '1e+21'],
  [0x3eb0c6f7a0b5ed8cn, '9.999999999999997e-7'],
  [0x3eb0c6f7a0b5ed8dn, '0.000001'],
  [0x41b3de4355555553n, '333333333.3333332'],
  [0x41b3de4355555554n, '333333333.33333325'],
  [0x41b3de4355555555n, '333333333.3333333'],
  [0x41b3de4355555556n, '333333333.3333334'],
  [0x41b3de4355555557n, '333333333.33333343'],
  [0xbecbf647612f3696n, '-0.0000033333333333333333'],
  [0x43143ff3c1cb0959n, '1424953923781206.2'],
]

const numberOf = (bits: bigint): number => new Float64Array(BigUint64Array.of(bits).buffer)[0] ?? 0

describe('canonicalize', () => {
  it.each(NUMBERS)('prints the number with bits %s as %s', (bits, text) => {
    expect(canonicalize(numberOf(bits))).toBe(text)
  })

  it('sorts keys by UTF-16 code units, not by code points', () => {
    const keys = { '\u{1f600}': 1, '\ufb33': 2, b: 3, a: 4, '': 5, '10': 6, '9': 7 }
    expect(canonicalize(keys)).toBe('{"":5,"10":6,"9":7,"a":4,"b":3,"\u{1f600}":1,"\ufb33":2}')
  })

  it('gives one text whatever the order of insertion', () => {
    expect(canonicalize({ b: [1, { d: null, c: true }], a: 'x' })).toBe(
      canonicalize({ a: 'x', b: [1, { c: true, d: null }] }),
    )
  })

  it('escapes only what JSON has to escape', () => {
    expect(canonicalize('\u0000\b\t\n\f\r\u001f"\\/\u007f\u2028é')).toBe(
      '"\\u0000\\b\\t\\n\\f\\r\\u001f\\"\\\\/\u007f\u2028é"',
    )
  })

  it('writes long and short strings by the same rules', () => {
    for (const unit of ['a', '"', '\\', '\n', '\u{1f600}', '\u2028']) {
      for (const count of [1, 31, 32, 33, 63, 64, 65, 200]) {
        expect(canonicalize(unit.repeat(count))).toBe(JSON.stringify(unit.repeat(count)))
      }
    }
  })

  it('takes an object without a prototype, and a key named __proto__', () => {
    const bare: unknown = Object.assign(Object.create(null), { b: 1, a: 2 })
    expect(canonicalize(bare)).toBe('{"a":2,"b":1}')
    expect(canonicalize(JSON.parse('{"__proto__":{"a":1},"b":2}'))).toBe(
      '{"__proto__":{"a":1},"b":2}',
    )
  })

  it('takes one object twice, because sharing is not a cycle', () => {
    const shared = { a: 1 }
    expect(canonicalize([shared, shared])).toBe('[{"a":1},{"a":1}]')
  })

  it('gives its bytes as UTF-8', () => {
    expect(canonicalBytes({ ż: '€' })).toEqual(new TextEncoder().encode('{"ż":"€"}'))
  })

  it('agrees with the canonicalize package on every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 }), (value) => {
        expect(canonicalize(value)).toBe(referenceCanonicalize(value))
      }),
      { numRuns: 2_000 },
    )
  })

  it('is stable: what it wrote, read and written again, is the same text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = canonicalize(value)
        expect(canonicalize(JSON.parse(text))).toBe(text)
      }),
    )
  })
})

const vectors = dataFolder('vectors', 'jcs')
const names = vectors === undefined ? [] : readdirSync(join(vectors, 'input'))

describe.skipIf(vectors === undefined)(titleWithData('The vectors of RFC 8785', vectors), () => {
  const read = (...parts: readonly string[]) => readFileSync(join(vectors ?? '', ...parts))

  it('are there', () => {
    expect(names.length).toBeGreaterThanOrEqual(6)
  })

  it.each(names)('come out byte for byte: %s', (name) => {
    const bytes = canonicalBytes(JSON.parse(read('input', name).toString('utf8')))
    const hex = read('outhex', name.replace('.json', '.txt')).toString('latin1')
    expect(Buffer.from(bytes).toString('hex')).toBe(hex.replaceAll(/\s/g, ''))
    expect(Buffer.from(bytes).equals(read('output', name))).toBe(true)
  })
})

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
