import { describe, expect, test } from 'vitest'
import {
  isMemoryId,
  parseHash,
  parseMemoryId,
  parseRef,
  parseStackId,
  splitRef,
  toRef,
  tryParseRef,
  ZERO_HASH,
} from './ids.ts'

const ID = '01980000-0000-7000-8000-00000000000a'

describe('an id', () => {
  test('is a UUID in lower case', () => {
    expect(parseMemoryId(ID)).toBe(ID)
    expect(isMemoryId('6ba7b810-9dad-11d1-80b4-00c04fd430c8')).toBe(true)
  })

  test.each([
    ID.toUpperCase(),
    ` ${ID}`,
    `${ID}\n`,
    ID.replaceAll('-', ''),
    '01980000-0000-0000-8000-00000000000a',
    '01980000-0000-9000-8000-00000000000a',
    '01980000-0000-7000-c000-00000000000a',
    '',
    null,
    7,
    [ID],
  ])('is not %j', (text) => {
    expect(isMemoryId(text)).toBe(false)
    expect(() => parseMemoryId(text)).toThrow(expect.objectContaining({ code: 'invalid_id' }))
  })
})

describe('a ref', () => {
  test('is a kind and an id, and comes apart again', () => {
    const ref = parseRef(`self_narrative:${ID}`)
    expect(splitRef(ref)).toEqual({ kind: 'self_narrative', id: ID })
    expect(toRef('note', parseMemoryId(ID))).toBe(`note:${ID}`)
  })

  test.each([
    ID,
    `:${ID}`,
    `thought:${ID}`,
    `Note:${ID}`,
    'note:abc',
    `note: ${ID}`,
    `note:${ID}:x`,
    `context:cli`,
    `__proto__:${ID}`,
    `constructor:${ID}`,
    undefined,
    { toString: () => `note:${ID}` },
  ])('is not %j', (text) => {
    expect(tryParseRef(text)).toBeUndefined()
    expect(() => parseRef(text)).toThrow(expect.objectContaining({ code: 'invalid_ref' }))
  })
})

describe('a hash', () => {
  test('is 64 lower-case hex digits', () => {
    expect(parseHash('0'.repeat(64))).toBe(ZERO_HASH)
    for (const text of ['0'.repeat(63), '0'.repeat(65), 'A'.repeat(64), 'g'.repeat(64), null]) {
      expect(() => parseHash(text, 'contentHash')).toThrow('contentHash')
    }
  })
})

describe('a stack’s id', () => {
  test.each(['a', 'A1', 'my-agent', 'my_agent.v2', 'x'.repeat(100)])('may be %j', (text) => {
    expect(parseStackId(text)).toBe(text)
  })

  test.each([
    '',
    '.',
    '..',
    'a..b',
    '-a',
    'a-',
    '.hidden',
    'a/b',
    'a\\b',
    'a b',
    'ä',
    'x'.repeat(101),
    'a\n',
    'a\0',
    null,
  ])('may not be %j, which is no safe file name', (text) => {
    expect(() => parseStackId(text)).toThrow(expect.objectContaining({ code: 'invalid_id' }))
  })
})
