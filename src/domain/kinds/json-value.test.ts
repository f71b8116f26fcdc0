import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, isJsonValue, type JsonValue, sortedJson, stringsIn } from './json-value.ts'

/** The same value with its members typed in the opposite order. */
const turned = (value: JsonValue): JsonValue => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(turned)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, turned(member)]),
  )
}

describe('sortedJson', () => {
  it('does not depend on the order in which members were typed', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        // A member named __proto__ is refused at every door, and comparisons trip over the name.
        fc.pre(isJsonValue(json))
        const value = json as JsonValue // fast-check's type has mutable arrays, else the same
        expect(sortedJson(turned(value))).toBe(sortedJson(value))
        expect(JSON.parse(sortedJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('writes members in order of name', () => {
    expect(sortedJson({ b: [1, { d: null, c: true }], a: 'x"' })).toBe(
      '{"a":"x\\"","b":[1,{"c":true,"d":null}]}',
    )
  })
})

describe('stringsIn', () => {
  it('gathers strings in order of name and of place', () => {
    expect(stringsIn({ b: ['2', 3, ['4']], a: '1', c: null })).toEqual(['1', '2', '4'])
  })
})

describe('isJsonValue', () => {
  it('ends on a cycle', () => {
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    expect(isJsonValue(cycle)).toBe(false)
    expect(isJsonValue({ self: {} })).toBe(true)
  })

  it('an array is a value but no object', () => {
    expect([isJsonValue([]), isJsonObject([]), isJsonObject({}), isJsonObject(null)]).toEqual([
      true,
      false,
      true,
      false,
    ])
  })
})
