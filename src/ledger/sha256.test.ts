import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex, toHex, utf8, writeHex } from './sha256.ts'

describe('hex', () => {
  it('is written in lower case, two digits a byte', () => {
    expect(toHex(Uint8Array.of(0, 1, 0xab, 0xff))).toBe('0001abff')
    expect(toHex(new Uint8Array())).toBe('')
  })

  it('survives the way there and back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(fromHex(toHex(bytes))).toEqual(bytes)
        expect(toHex(bytes)).toBe(Buffer.from(bytes).toString('hex'))
      }),
    )
  })

  it.each([
    'a',
    'AB',
    'aB',
    'abc',
    '0g',
    '0x00',
    ' 00',
    '00 ',
    '0\n',
    '００',
    'é0',
    '\u012f0',
    '-1',
    '+1',
  ])('is refused when it is %j, so that one value has one spelling', (hex) => {
    expect(fromHex('ab')).toEqual(Uint8Array.of(0xab))
    expect(() => fromHex(hex)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  })

  it('refuses every unit that is not a lower-case digit, in either place', () => {
    for (let unit = 0; unit < 0x200; unit++) {
      const character = String.fromCharCode(unit)
      const isDigit = '0123456789abcdef'.includes(character)
      for (const hex of [`${character}0`, `0${character}`]) {
        if (isDigit) expect(fromHex(hex)).toHaveLength(1)
        else expect(() => fromHex(hex)).toThrow()
      }
    }
  })

  it('can be decoded into the middle of a buffer', () => {
    const bytes = new Uint8Array(4)
    writeHex('abcd', bytes, 1)
    expect(bytes).toEqual(Uint8Array.of(0, 0xab, 0xcd, 0))
  })
})

describe('utf8', () => {
  it('encodes text', () => {
    expect(utf8('a€\u{1f600}')).toEqual(Uint8Array.from(Buffer.from('a€\u{1f600}')))
  })

  it('refuses a lone surrogate, which would share its bytes with U+FFFD', () => {
    expect(utf8('\ufffd')).toHaveLength(3)
    expect(() => utf8('\ud800')).toThrow(expect.objectContaining({ code: 'not_canonical' }))
  })
})

describe('concatBytes', () => {
  it('joins what it is given, in order', () => {
    const joined = concatBytes(Uint8Array.of(1), new Uint8Array(), Uint8Array.of(2, 3))
    expect(joined).toEqual(Uint8Array.of(1, 2, 3))
    expect(concatBytes()).toEqual(new Uint8Array())
  })
})
