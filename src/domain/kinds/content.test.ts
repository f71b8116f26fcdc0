import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { identityParts, lineParts, normaliseText, normaliseValue } from './content.ts'
import { parseBody } from './table.ts'

const claim = (subject: string, predicate: string, value: unknown, more: object = {}) =>
  parseBody('claim', { subject, predicate, value, ...more })

const identity = (body: object) => JSON.stringify(identityParts('claim', body))

describe('normalised text', () => {
  test.each([
    ['Berlin', ' BERLIN\t'],
    ['tea at four', 'Tea  at\n FOUR'],
    ['caf\u00e9', 'CAFE\u0301'],
    ['a b', 'a\u00a0b'],
    ['a b', 'a\u3000\u2003b'],
    ['i\u0307', '\u0130'],
    ['\u212b', '\u00c5'],
    ['J\u030c', '\u01f0'],
  ])('%j and %j are the same', (a, b) => {
    expect(normaliseText(a)).toBe(normaliseText(b))
  })

  test.each([
    ['tea', 'teas'],
    ['a b', 'ab'],
    ['not good', 'good'],
    ['1', '1.0'],
    ['tea', 't\u0435a'],
    ['resume', 'r\u00e9sum\u00e9'],
  ])('%j and %j are not', (a, b) => {
    expect(normaliseText(a)).not.toBe(normaliseText(b))
  })

  test('of a run of marks keeps the first, however long it is and however it is taken apart', () => {
    const run = `e${'\u0316\u0301'.repeat(500_000)}` // composed whole, it would take many minutes
    expect(normaliseText(run)).toBe(normaliseText(`e${'\u0316\u0301'.repeat(16)}`))
    const apart = normaliseText(`e${'\u0344'.repeat(40)}`)
    expect(normaliseText(apart)).toBe(apart)
  })

  test('is stable: normalising twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = normaliseText(text)
        expect(normaliseText(once)).toBe(once)
      }),
    )
  })
})

describe('the identity of a claim', () => {
  test('is its subject, predicate and value, folded', () => {
    const first = identity(claim('User', 'City', 'Berlin'))
    expect(identity(claim(' user', 'CITY', 'berlin '))).toBe(first)
    expect(identity(claim('user', 'city', 'Paris'))).not.toBe(first)
    expect(identity(claim('user', 'town', 'Berlin'))).not.toBe(first)
  })

  test('does not depend on when it holds, how sure it is or what it is tagged', () => {
    const start = '2020-01-01T00:00:00.000Z'
    const dated = {
      validTime: { start },
      criticality: 'High',
      tags: ['x'],
      cardinality: 'SetValued',
    }
    expect(identity(claim('u', 'c', 'x', dated))).toBe(identity(claim('u', 'c', 'x')))
  })

  test('knows 1 and 1.0 as one number, and "1" as none', () => {
    expect(identity(claim('u', 'n', JSON.parse('1.0')))).toBe(identity(claim('u', 'n', 1)))
    expect(identity(claim('u', 'n', JSON.parse('1e0')))).toBe(identity(claim('u', 'n', 1)))
    expect(identity(claim('u', 'n', '1'))).not.toBe(identity(claim('u', 'n', 1)))
    expect(identity(claim('u', 'n', true))).not.toBe(identity(claim('u', 'n', 1)))
    expect(identity(claim('u', 'n', null))).not.toBe(identity(claim('u', 'n', 'null')))
  })

  test('folds strings inside lists and objects and keeps their order and names', () => {
    expect(normaliseValue({ A: [' X ', { b: 'Y' }], n: null })).toEqual({
      A: ['x', { b: 'y' }],
      n: null,
    })
    expect(identity(claim('u', 'l', ['a', 'b']))).not.toBe(identity(claim('u', 'l', ['b', 'a'])))
  })

  test('does not run its parts together', () => {
    expect(identity(claim('a b', 'c', 'd'))).not.toBe(identity(claim('a', 'b c', 'd')))
  })
})

describe('other identities', () => {
  test('are the kind and what it says', () => {
    const note = parseBody('note', { content: 'Tea  at FOUR', noteType: 'decision' })
    expect(identityParts('note', note)).toEqual(['note', 'tea at four'])
    const belief = parseBody('belief', { statement: 'Tea at four' })
    expect(identityParts('belief', belief)).toEqual(['belief', 'tea at four'])
    expect(lineParts('note', note)).toBeNull()
  })

  test('a line is a subject and a predicate', () => {
    expect(lineParts('claim', claim(' User', 'City', 1))).toEqual(['line', 'user', 'city'])
  })
})
