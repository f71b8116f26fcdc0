import { createHmac, hash, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Hash } from '../domain/ids.ts'
import { fromHex, hkdfExpand, hkdfExtract, hmacSha256, type Sha256, toHex, utf8 } from './sha256.ts'

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

const counting = (from: number, to: number): string =>
  toHex(Uint8Array.from({ length: to - from + 1 }, (_, at) => from + at))

// RFC 5869, appendix A.1 to A.3.
const HKDF_CASES = [
  {
    title: 'A.1, the basic case',
    secret: '0b'.repeat(22),
    salt: counting(0x00, 0x0c),
    info: counting(0xf0, 0xf9),
    key: '077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5',
    output: '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865',
  },
  {
    title: 'A.2, longer inputs and outputs',
    secret: counting(0x00, 0x4f),
    salt: counting(0x60, 0xaf),
    info: counting(0xb0, 0xff),
    key: '06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244',
    output:
      'b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09' +
      'da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87',
  },
  {
    title: 'A.3, no salt and no purpose',
    secret: '0b'.repeat(22),
    salt: '',
    info: '',
    key: '19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04',
    output: '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8',
  },
]

describe('hkdf', () => {
  it.each(HKDF_CASES)('answers RFC 5869 $title', ({ secret, salt, info, key, output }) => {
    const extracted = hkdfExtract(sha256, fromHex(salt), fromHex(secret))
    expect(toHex(extracted)).toBe(key)
    const expanded = hkdfExpand(sha256, extracted, fromHex(info), output.length / 2)
    expect(toHex(expanded)).toBe(output)
  })

  it('agrees with node:crypto', () => {
    const bytes = fc.uint8Array({ maxLength: 100 })
    const length = fc.integer({ min: 1, max: 300 })
    fc.assert(
      fc.property(bytes, bytes, bytes, length, (secret, salt, info, count) => {
        const expected = new Uint8Array(hkdfSync('sha256', secret, salt, info, count))
        const key = hkdfExtract(sha256, salt, secret)
        expect(hkdfExpand(sha256, key, info, count)).toEqual(expected)
      }),
    )
  })

  it('gives up to 255 blocks and stops there', () => {
    const key = new Uint8Array(32)
    const most = hkdfExpand(sha256, key, utf8('x'), 8160)
    expect(most).toHaveLength(8160)
    expect(most.slice(0, 40)).toEqual(hkdfExpand(sha256, key, utf8('x'), 40))
    for (const length of [8161, 0, -1, 1.5, Number.NaN]) {
      expect(() => hkdfExpand(sha256, key, utf8('x'), length)).toThrow('Invariant')
    }
  })

  it('takes no key shorter than a hash', () => {
    expect(hkdfExpand(sha256, new Uint8Array(32), utf8('x'), 1)).toHaveLength(1)
    expect(() => hkdfExpand(sha256, new Uint8Array(31), utf8('x'), 1)).toThrow('Invariant')
  })
})
