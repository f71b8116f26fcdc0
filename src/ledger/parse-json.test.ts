import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dataFolder, titleWithData } from '../../tests/support/data.ts'
import { MunimentError } from '../domain/errors.ts'
import { canonicalize } from './canonical.ts'
import { parseJson } from './parse-json.ts'

function refusalOf(text: string, depthMax?: number): MunimentError {
  try {
    parseJson(text, depthMax === undefined ? {} : { depthMax })
  } catch (error) {
    if (error instanceof MunimentError) return error
    throw error
  }
  throw new Error('it was taken')
}

const REFUSED: readonly (readonly [what: string, text: string, at: number, taken: string])[] = [
  ['a repeated key', '{"a":1,"a":2}', 7, '{"a":1,"b":2}'],
  ['a repeated key spelled with an escape', '{"a":1,"\\u0061":2}', 7, '{"a":1,"\\u0062":2}'],
  ['a repeated key further in', '[{"b":{"a":1,"a":1}}]', 13, '[{"a":{"a":1},"b":{"a":1}}]'],
  ['a repeated __proto__', '{"__proto__":1,"__proto__":2}', 15, '{"__proto__":1}'],
  ['an integer above 2^53 - 1', '[9007199254740992]', 1, '[9007199254740991]'],
  ['an integer below -(2^53 - 1)', '-9007199254740992', 0, '-9007199254740991'],
  ['a very long integer', '1'.repeat(400), 0, '1'.repeat(15)],
  ['a number beyond the largest double', '1e309', 0, '1e308'],
  ['a negative number beyond it', '[-1.5e999]', 1, '[-1.5e300]'],
  ['an escaped lone high surrogate', '["\\ud800"]', 1, '["\\ud800\\udc00"]'],
  ['an escaped lone low surrogate', '"\\udc00"', 0, '"\\ud83d\\ude00"'],
  ['surrogates in the wrong order', '"\\udc00\\ud800"', 0, '"\\ud800\\udc00"'],
  ['a raw lone surrogate', '["\ud800"]', 2, '["\ud800\udc00"]'],
  ['half a pair raw, half escaped', '"\ud83d\\ude00"', 1, '"\ud83d\ude00"'],
  ['an escaped lone surrogate in a key', '{"\\ud800":1}', 1, '{"\\ud800\\udc00":1}'],
  ['text after the value', '1 2', 2, '1 '],
  ['a byte order mark', '\ufeff1', 0, '1'],
  ['a space JSON does not know', '\u00a01', 0, ' 1'],
  ['a string that is not ended', '"abc', 4, '"abc"'],
  ['a raw line break in a string', '"a\nb"', 2, '"a\\nb"'],
  ['an escape JSON does not know', '"\\x41"', 2, '"\\u0041"'],
  ['a short escape', '"\\u12"', 2, '"\\u0012"'],
  ['a trailing comma', '[1,]', 3, '[1]'],
  ['a missing colon', '{"a" 1}', 5, '{"a":1}'],
  ['nothing', '', 0, '0'],
]

describe('parseJson', () => {
  it.each(REFUSED)('refuses %s and says where', (_what, text, at, taken) => {
    expect(parseJson(taken)).toEqual(JSON.parse(taken))
    const error = refusalOf(text)
    expect(error.code).toBe('invalid_json')
    expect(error.facts).toEqual({ position: at })
    expect(error.message).toContain(`position ${at}:`)
  })

  it('refuses every raw control character inside a string, and takes it escaped', () => {
    for (let unit = 0; unit < 0x20; unit++) {
      const character = String.fromCharCode(unit)
      expect(refusalOf(`"${character}"`).facts).toEqual({ position: 1 })
      expect(parseJson(JSON.stringify(character))).toBe(character)
    }
    expect(parseJson('" "')).toBe(' ')
  })

  it('takes large integers that are written as rounded ones', () => {
    expect(parseJson('[1e20,9007199254740993.0,0.1e30]')).toEqual([1e20, 9007199254740992, 1e29])
  })

  it('keeps __proto__ as a member of its own', () => {
    const value = parseJson('{"__proto__":{"admin":true},"a":1}')
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'a'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(value).not.toHaveProperty('admin')
  })

  it('counts nesting of arrays and objects together', () => {
    const nested = (depth: number): string =>
      '[{"a":'.repeat(depth / 2) + 1 + '}]'.repeat(depth / 2)
    expect(parseJson(nested(64))).toEqual(JSON.parse(nested(64)))
    expect(refusalOf(nested(66)).message).toContain('nested deeper than 64')
    expect(parseJson('[[[]]]', { depthMax: 3 })).toEqual([[[]]])
    expect(refusalOf('[[[]]]', 2).facts).toEqual({ position: 2 })
    expect(parseJson('1', { depthMax: 0 })).toBe(1)
  })

  it('survives a bomb of a million brackets', () => {
    expect(refusalOf('['.repeat(1_000_000)).code).toBe('invalid_json')
    expect(refusalOf('{"a":'.repeat(1_000_000)).code).toBe('invalid_json')
  })

  it('survives long digits and long escaped strings', () => {
    expect(parseJson(`1.${'1'.repeat(1_000_000)}`)).toBeCloseTo(1.1111)
    expect(parseJson(`"${'\\n'.repeat(1_000_000)}"`)).toHaveLength(1_000_000)
  })

  it('never quotes the text it refuses, nor carries an error that does', () => {
    for (const text of ['{"secret":1,"secret":1}', 'secret', '"secret\n"', '["secret\\q"]']) {
      const error = refusalOf(text)
      expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain('secret')
      expect(error.cause).toBeUndefined()
    }
  })

  it('refuses the integers that canonicalize writes for doubles past 2^53', () => {
    expect(canonicalize(1e20)).toBe('100000000000000000000')
    expect(refusalOf(canonicalize(1e20)).message).toContain('integer too large')
    expect(parseJson(canonicalize(1e21))).toBe(1e21)
  })

  it('reads what JSON.parse reads, unless it refuses it for a reason of its own', () => {
    const space = fc.constantFrom(undefined, 1, '\t', ' \n')
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 5 }), space, (value, indent) => {
        expectAsJsonParse(JSON.stringify(value, undefined, indent))
      }),
      { numRuns: 2_000 },
    )
  })

  it('takes and refuses as JSON.parse does, over random edits of JSON', () => {
    const units = '{}[]:,"\\/ \n\t0123456789-+.eEtrufalsn\u0000\u00e9'.split('')
    const insert = fc.array(fc.constantFrom(...units), { maxLength: 3 })
    const edit = fc.record({ at: fc.nat(), remove: fc.nat(3), insert })
    fc.assert(
      fc.property(fc.json(), fc.array(edit, { minLength: 1, maxLength: 3 }), (json, edits) => {
        expectAsJsonParse(edits.reduce(applyEdit, json))
      }),
      { numRuns: 10_000 },
    )
  })
})

interface Edit {
  readonly at: number
  readonly remove: number
  readonly insert: readonly string[]
}

function applyEdit(text: string, { at, remove, insert }: Edit): string {
  const start = at % (text.length + 1)
  return text.slice(0, start) + insert.join('') + text.slice(start + remove)
}

const OWN_REASONS = /duplicate key|too large to hold|lone surrogate|nested deeper/

/** JSON.parse's own SyntaxError escaping from parseJson would fail here: refusals are ours. */
function expectAsJsonParse(text: string): void {
  const expected = outcomeOf(JSON.parse, text)
  const actual = outcomeOf(parseJson, text)
  if (actual.error === undefined) {
    expect(actual.value).toEqual(expected.value)
    return
  }
  expect(actual.error).toBeInstanceOf(MunimentError)
  if (expected.error === undefined) expect(actual.error.message).toMatch(OWN_REASONS)
}

function outcomeOf(parse: (text: string) => unknown, text: string) {
  try {
    return { value: parse(text), error: undefined }
  } catch (error) {
    if (error instanceof Error) return { value: undefined, error }
    throw error
  }
}

const suite = dataFolder('bad-input', 'json-parsing')
const files = suite === undefined ? [] : readdirSync(suite).filter((name) => name.endsWith('.json'))
const named = (prefix: string): string[] => files.filter((name) => name.startsWith(prefix))

/** Valid by the grammar, refused here on purpose. */
const REFUSED_ON_PURPOSE: Readonly<Record<string, string>> = {
  'y_object_duplicated_key.json': 'duplicate key',
  'y_object_duplicated_key_and_value.json': 'duplicate key',
}

describe.skipIf(suite === undefined)(titleWithData('The JSON parsing suite', suite), () => {
  // As a door reads: bytes that are not UTF-8 are refused before any parser sees them.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const load = (name: string) => parseJson(decoder.decode(readFileSync(join(suite ?? '', name))))

  // The code of our own refusal, or the decoder's.
  const REFUSALS = /^(invalid_json|ERR_ENCODING_INVALID_ENCODED_DATA)$/
  function refusalIn(name: string): string | undefined {
    const { error } = outcomeOf(load, name)
    return error && 'code' in error ? String(error.code) : error?.message
  }

  it('is there, all three parts of it', () => {
    for (const prefix of ['y_', 'n_', 'i_']) expect(named(prefix).length).toBeGreaterThan(30)
  })

  it.each(named('y_'))('%s is taken, unless it is refused on purpose', (name) => {
    const reason = REFUSED_ON_PURPOSE[name]
    if (reason !== undefined) expect(() => load(name)).toThrow(reason)
    else expect(load(name)).toEqual(JSON.parse(readFileSync(join(suite ?? '', name), 'utf8')))
  })

  it.each(named('n_'))('%s is refused by name', (name) => {
    expect(refusalIn(name)).toMatch(REFUSALS)
  })

  it.each(named('i_'))('%s is taken, or refused by name', (name) => {
    expect(refusalIn(name) ?? 'invalid_json').toMatch(REFUSALS)
  })
})
