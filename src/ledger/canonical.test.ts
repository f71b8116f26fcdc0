import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import referenceCanonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dataFolder, titleWithData } from '../../tests/support/data.ts'
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
