import { hash, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Hash } from '../domain/ids.ts'
import { hkdfExpand, hkdfExtract } from './hkdf.ts'
import { fromHex, type Sha256, toHex, utf8 } from './sha256.ts'

const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'hex') as Hash // node's digest is a Hash

const counting = (from: number, to: number): string =>
  toHex(Uint8Array.from({ length: to - from + 1 }, (_, at) => from + at))

// RFC 5869, appendix A.1 to A.3.
const CASES = [
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
  it.each(CASES)('answers RFC 5869 $title', ({ secret, salt, info, key, output }) => {
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
