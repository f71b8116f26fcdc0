import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LimitError, MunimentError } from '../errors.ts'
import type { RecordKind } from '../ids.ts'
import { LIMITS } from '../limits.ts'
import { parseBody } from './table.ts'

const failure = (kind: RecordKind, input: unknown): MunimentError => {
  try {
    parseBody(kind, input)
  } catch (error) {
    if (error instanceof MunimentError) return error
    throw error
  }
  throw new Error('the body was taken')
}

const claim = (value: unknown) => ({ subject: 'a', predicate: 'b', value })
const nested = (depth: number): unknown => (depth === 0 ? 'core' : [nested(depth - 1)])

describe('numbers', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, true, '0.5', 1n, null, -0.01, 1.01, new Date(0)])(
    'refuses %s for a number from 0 to 1',
    (intensity) => {
      const { code, issues } = failure('drive', { driveType: 'growth', intensity })
      expect([code, issues.map(({ path }) => path)]).toEqual(['invalid_input', ['body.intensity']])
    },
  )

  it.each([0, 0.5, 1, Number.MIN_VALUE])('takes %s', (intensity) => {
    expect(parseBody('drive', { driveType: 'growth', intensity }).intensity).toBe(intensity)
  })

  it('keeps −0 as 0, as it will be read back', () => {
    expect(Object.is(parseBody('drive', { driveType: 'growth', intensity: -0 }).intensity, 0)).toBe(
      true,
    )
  })
})

describe('texts', () => {
  it.each(['\u0000', '\ud800', ' x ', '\u202ex', '👩‍👩‍👧', 'ﷺ', 'e\u0301'])(
    'keeps %j exactly as given',
    (content) => {
      expect(parseBody('note', { content }).content).toBe(content)
    },
  )

  it.each(['', ' ', '\n\t\u00a0\u3000\ufeff'])(
    'refuses %j where something must be said',
    (content) => {
      expect(failure('note', { content }).issues).toHaveLength(1)
    },
  )

  it('never quotes what was written', () => {
    const secret = 'hunter2'
    const bad = {
      objective: { secret },
      outcome: [secret],
      outcomeType: secret,
      lessons: [{ secret }],
      emotionalValence: secret,
      epochId: secret,
      tags: Symbol(secret),
    }
    const told = failure('episode', bad)
    expect(told.issues).toHaveLength(7)
    expect(JSON.stringify([told.message, told.issues, told.facts, told.hint])).not.toContain(secret)
    const claimed = failure('claim', claim({ [secret]: { at: Symbol(secret) } }))
    expect(JSON.stringify([claimed.message, claimed.issues])).not.toContain(secret)
  })
})

describe('instants', () => {
  const at = (startedAt: unknown) => ({ epochNumber: 1, name: 'x', startedAt })

  it.each([
    '2026-02-29T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '2026-01-01T23:59:60.000Z',
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00.000+00:00',
    '+02026-01-01T00:00:00.000Z',
    '2026-01-01 00:00:00.000Z',
    '2026-01-01T00:00:00.000Z\n',
    1_767_225_600_000,
    new Date(0),
  ])('refuses %s', (startedAt) => {
    expect(failure('epoch', at(startedAt)).issues).toMatchObject([{ path: 'body.startedAt' }])
  })

  it.each(['2024-02-29T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])(
    'takes %s',
    (startedAt) => {
      expect(parseBody('epoch', at(startedAt)).startedAt).toBe(startedAt)
    },
  )
})

describe('BOUND-LOUD', () => {
  it('ten thousand tags are one error that names the limit', () => {
    const tags = Array.from({ length: 10_000 }, (_, index) => `tag${index}`)
    const error = failure('note', { content: 'x', tags })
    expect(error).toBeInstanceOf(LimitError)
    expect(error).toMatchObject({
      code: 'limit_exceeded',
      facts: { limit: 'listItemsMax', max: LIMITS.listItemsMax, actual: 10_000 },
      issues: [{ path: 'body.tags', message: 'over listItemsMax: at most 1000' }],
    })
  })

  it('a thousand tags are taken', () => {
    const tags = Array.from({ length: LIMITS.listItemsMax }, (_, index) => `tag${index}`)
    expect(parseBody('note', { content: 'x', tags }).tags).toEqual(tags)
  })

  it('the items of a list over its limit are not named one by one', () => {
    const tags = Array.from({ length: 10_000 }, () => '')
    expect(failure('note', { content: 'x', tags }).issues).toHaveLength(1)
  })

  it.each([
    ['textCharsMax', 'note', { content: 'x'.repeat(LIMITS.textCharsMax + 1) }],
    ['shortTextCharsMax', 'drive', { driveType: 'x'.repeat(LIMITS.shortTextCharsMax + 1) }],
    ['tagCharsMax', 'note', { content: 'x', tags: ['x'.repeat(LIMITS.tagCharsMax + 1)] }],
    ['bodyDepthMax', 'claim', claim(nested(LIMITS.bodyDepthMax))],
  ] as const)('%s', (limit, kind, input) => {
    const error = failure(kind, input)
    expect(error.code).toBe('limit_exceeded')
    expect(error.facts).toMatchObject({ limit, max: LIMITS[limit], actual: LIMITS[limit] + 1 })
  })

  it('bodyBytesMax ends the copy of a list with more items than a body may have bytes', () => {
    const error = failure('claim', claim(Array(LIMITS.bodyBytesMax + 1)))
    expect(error.code).toBe('limit_exceeded')
    expect(error.facts).toMatchObject({ limit: 'bodyBytesMax', max: LIMITS.bodyBytesMax })
  })

  it('a text and a nesting of exactly the limit are taken', () => {
    expect(parseBody('note', { content: 'x'.repeat(LIMITS.textCharsMax) })).toBeDefined()
    expect(parseBody('claim', claim(nested(LIMITS.bodyDepthMax - 1)))).toBeDefined()
  })

  it('a limit among other faults is one issue among them', () => {
    const error = failure('note', { content: 'x'.repeat(LIMITS.textCharsMax + 1), mood: 1 })
    expect(error.code).toBe('invalid_input')
    expect(error.issues.map(({ path }) => path)).toEqual(['body.content', 'body.mood'])
  })

  it('too many dimensions are an error', () => {
    const names = Array.from({ length: LIMITS.listItemsMax + 1 }, (_, index) => `d${index}`)
    const dimensions = Object.fromEntries(names.map((name) => [name, { score: 1 }]))
    expect(failure('assessment', { entityId: 'x', dimensions }).code).toBe('limit_exceeded')
  })

  it('ends on a cycle and on branches shared without end', () => {
    const cycle: unknown[] = []
    cycle.push(cycle)
    expect(failure('claim', claim(cycle)).facts).toMatchObject({ limit: 'bodyDepthMax' })
    let bush: unknown = 1
    for (let level = 0; level < 60; level++) bush = [bush, bush]
    expect(failure('claim', claim(bush)).facts).toMatchObject({ limit: 'bodyBytesMax' })
  })

  it('counts the unknown fields it does not name', () => {
    const names = Array.from({ length: LIMITS.listItemsMax + 7 }, (_, index) => `k${index}`)
    const mood = Object.fromEntries(names.map((name) => [name, 1]))
    const { issues } = failure('note', { content: 'x', ...mood })
    expect(issues).toHaveLength(LIMITS.listItemsMax + 1)
    expect(issues.at(-1)).toEqual({ path: 'body', message: '7 more unknown fields' })
  })

  it('clips a name that is as long as a text', () => {
    const [issue] = failure('note', { content: 'x', ['k'.repeat(100_000)]: 1 }).issues
    expect(issue?.path.length).toBeLessThan(300)
  })
})

describe('JSON values', () => {
  class Money {
    readonly cents = 1
  }

  it.each([
    ['a Date', new Date(0)],
    ['a Map', new Map()],
    ['a class instance', new Money()],
    ['a boxed string', new String('x')],
    ['bytes', new Uint8Array(1)],
    ['an inheriting object', Object.create({ a: 1 })],
    ['a function', () => 1],
    ['a bigint', 1n],
    ['a symbol', Symbol('x')],
    ['a symbol member', { [Symbol('x')]: 1 }],
    ['NaN', Number.NaN],
    ['Infinity', Number.NEGATIVE_INFINITY],
    ['undefined', undefined],
  ])('refuses %s at the top, in a list and in an object', (_, value) => {
    for (const input of [claim(value), claim([value])]) {
      expect(failure('claim', input).issues).toMatchObject([{ path: 'body.value' }])
    }
    // An undefined member is an absent one.
    if (value === undefined) expect(parseBody('claim', claim({ a: value })).value).toEqual({})
    else expect(failure('claim', claim({ a: value })).issues).toHaveLength(1)
  })

  it('refuses a gap in a list instead of closing it', () => {
    const gappy = ['a', 'b', 'c']
    delete gappy[1]
    expect(failure('claim', claim(gappy)).issues).toMatchObject([{ path: 'body.value' }])
    expect(failure('note', { content: 'x', tags: gappy }).issues).toMatchObject([
      { path: 'body.tags.1' },
    ])
  })

  it.each([
    ['claim', '{"subject":"a","predicate":"b","value":{"x":{"__proto__":1}}}', 'body.value'],
    [
      'suggestion',
      '{"memoryType":"note","confidence":1,"content":{"__proto__":{}}}',
      'body.content',
    ],
    ['assessment', '{"entityId":"a","dimensions":{"__proto__":{"score":1}}}', 'body.dimensions'],
    ['note', '{"content":"x","__proto__":{"reason":"y"}}', 'body'],
  ] as const)('%s: a member named __proto__ is refused, never dropped', (kind, json, path) => {
    const { issues } = failure(kind, JSON.parse(json))
    expect(issues).toHaveLength(1)
    expect(issues[0]).toMatchObject({ path, message: expect.stringContaining('__proto__') })
  })

  it('takes plain objects without a prototype and from another realm', () => {
    const bare = Object.assign(Object.create(null), { a: 1 })
    expect(parseBody('claim', claim(bare)).value).toStrictEqual({ a: 1 })
    const foreign: unknown = runInNewContext('({ a: [1, { b: null }] })')
    expect(parseBody('claim', claim(foreign)).value).toStrictEqual({ a: [1, { b: null }] })
  })

  it('keeps any JSON as it is', () => {
    const anyJson = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__'))
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(parseBody('claim', claim(value)).value).toStrictEqual(
          JSON.parse(JSON.stringify(value)),
        )
      }),
    )
  })
})

describe('what is not a body at all', () => {
  it.each([[undefined], [null], ['x'], [1], [[]], [new Date(0)], [new Map()], [() => 1]])(
    '%s',
    (input) => {
      expect(failure('raw', input).issues).toMatchObject([{ path: 'body' }])
    },
  )

  it('a Date where an object of defaults is expected is not an empty object', () => {
    const error = failure('claim', { ...claim(1), validTime: new Date(0) })
    expect(error.issues).toEqual([{ path: 'body.validTime', message: 'expected a plain object' }])
  })
})

describe('copies', () => {
  it('what the caller changes later changes no body', () => {
    const value = { list: [1] }
    const tags = ['a']
    const body = parseBody('claim', { ...claim(value), tags })
    value.list.push(2)
    tags.push('b')
    expect(body).toMatchObject({ value: { list: [1] }, tags: ['a'] })
  })

  it('two bodies share no default', () => {
    const [first, second] = [1, 2].map(() => parseBody('drive', { driveType: 'growth' }))
    expect(first?.focusAreas).not.toBe(second?.focusAreas)
  })

  it('reads a getter once', () => {
    let reads = 0
    const shifty = {
      get content() {
        reads++
        return reads === 1 ? 'said' : 'changed'
      },
    }
    expect(parseBody('raw', shifty).content).toBe('said')
    expect(reads).toBe(1)
  })
})
