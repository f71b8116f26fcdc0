import { createHmac, hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Hash } from '../domain/ids.ts'
import { hmacSha256 } from './hmac.ts'
import { fromHex, type Sha256, utf8 } from './sha256.ts'

const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'hex') as Hash // node's digest is a Hash

const filled = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte)

// RFC 4231; case 5 is about truncated output, which is not offered here.
const CASES: readonly (readonly [number: number, Uint8Array, Uint8Array, string])[] = [
  [
    1,
    filled(20, 0x0b),
    utf8('Hi There'),
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  ],
  [
    2,
    utf8('Jefe'),
    utf8('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [
    3,
    filled(20, 0xaa),
    filled(50, 0xdd),
    '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
  ],
  [
    4,
    fromHex('0102030405060708090a0b0c0d0e0f10111213141516171819'),
    filled(50, 0xcd),
    '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  ],
  [
    6,
    filled(131, 0xaa),
    utf8('Test Using Larger Than Block-Size Key - Hash Key First'),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
  [
    7,
    filled(131, 0xaa),
    utf8(
      'This is a test using a larger than block-size key and a larger than block-size data. ' +
        'The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  ],
]

describe('hmacSha256', () => {
  it.each(CASES)('answers case %i of RFC 4231', (_number, key, message, expected) => {
    expect(hmacSha256(sha256, key, message)).toBe(expected)
  })

  it('agrees with node:crypto for every length of key around the block', () => {
    for (let length = 0; length <= 130; length++) {
      const key = filled(length, length)
      const expected = createHmac('sha256', key).update('message').digest('hex')
      expect(hmacSha256(sha256, key, utf8('message'))).toBe(expected)
    }
  })

  it('agrees with node:crypto on random keys and messages', () => {
    const bytes = fc.uint8Array({ maxLength: 200 })
    fc.assert(
      fc.property(bytes, bytes, (key, message) => {
        const expected = createHmac('sha256', key).update(message).digest('hex')
        expect(hmacSha256(sha256, key, message)).toBe(expected)
      }),
    )
  })
})
