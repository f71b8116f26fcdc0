import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalize, readJson } from './canonical.ts'

describe('reading JSON that was written here', () => {
  test('names that begin with an escape come back as they were, whatever was read before', () => {
    for (const poison of ['\\', '\n', '"']) {
      JSON.parse(JSON.stringify({ '!': 1, [poison]: 2 }))
      for (const name of ['"', '\\', '\n', '\u0001', '\\\\', 'a"', '"a']) {
        const value = { '!': 1, [name]: [{ [name]: 'x' }, 'y'] }
        expect(readJson(JSON.stringify(value))).toEqual(value)
        expect(readJson(JSON.stringify(value, null, 2))).toEqual(value)
      }
    }
  })

  test('gives what it was made from, for any value', () => {
    const odd = fc.constantFrom('!', '\\', '"', '\n', '__proto__', '', 'a', '\u2028')
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(odd, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).value
    fc.assert(
      fc.property(value, (given) => {
        const text = JSON.stringify(given)
        expect(JSON.stringify(readJson(text))).toBe(text)
      }),
    )
  })

  test('canonical text keeps its form', () => {
    const text = canonicalize({ '!': 1, '"': { '\\': [true] } })
    expect(canonicalize(readJson(text))).toBe(text)
  })
})
