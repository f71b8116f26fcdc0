import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { nodeSha256 } from '../../src/compose/node-world.ts'
import { fromHex, toHex, utf8 } from '../../src/ledger/sha256.ts'
import { formatNote, formatVerifierKey, keyIdOf } from '../../src/ledger/signed-note.ts'
import { openCheckpoint } from '../../src/ledger/verify/index.ts'
import { verifyEd25519 } from '../../src/ledger/verify/receipt.ts'
import { dataFolder, titleWithData } from '../support/data.ts'

interface Vectors {
  readonly numberOfTests: number
  readonly testGroups: readonly {
    readonly publicKey: { readonly pk: string }
    readonly tests: readonly {
      readonly tcId: number
      readonly comment: string
      readonly msg: string
      readonly sig: string
      readonly result: 'valid' | 'invalid'
    }[]
  }[]
}

const read = (): Vectors =>
  file === undefined
    ? { numberOfTests: 0, testGroups: [] }
    : (JSON.parse(readFileSync(file, 'utf8')) as Vectors)

const file = dataFolder('vectors', 'wycheproof-ed25519.json')

describe.skipIf(file === undefined)(
  titleWithData('signatures that others made to deceive', file),
  () => {
    const { testGroups, numberOfTests } = read()
    const cases = testGroups.flatMap(({ publicKey, tests }) =>
      tests.map((each) => ({ ...each, key: fromHex(publicKey.pk) })),
    )

    test('are all there, good ones and bad ones', () => {
      expect(cases).toHaveLength(numberOfTests)
      expect(new Set(cases.map(({ result }) => result))).toEqual(new Set(['valid', 'invalid']))
    })

    test('are told from good ones', () => {
      for (const { tcId, comment, msg, sig, result, key } of cases) {
        const isGood = verifyEd25519(fromHex(sig), fromHex(msg), key)
        expect(isGood, `${tcId} ${comment}`).toBe(result === 'valid')
      }
    })

    test('open no note, whatever their length', () => {
      for (const { tcId, sig, result, key: publicKey } of cases) {
        if (result === 'valid') continue
        const key = { name: 'other', publicKey }
        const signed = { name: 'other', keyId: keyIdOf(nodeSha256, key), signature: fromHex(sig) }
        const note = formatNote({ text: `muniment/${'0'.repeat(32)}/demo\n`, signatures: [signed] })
        const code = openCheckpoint(note, [formatVerifierKey(nodeSha256, key)])
        expect(['signature.invalid', 'note.malformed'], `${tcId}`).toContain(code)
      }
    })
  },
)

test('a signature has one spelling: what is added to its number makes it another', () => {
  // RFC 8032, 7.1, test 1, and the same with the order of the group added to its second half.
  const key = fromHex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a')
  const good = fromHex(
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155' +
      '5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  )
  const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n
  const number = BigInt(`0x${toHex(good.slice(32).reverse())}`) + ORDER
  const moved = fromHex(number.toString(16).padStart(64, '0')).reverse()
  expect(verifyEd25519(good, utf8(''), key)).toBe(true)
  expect(verifyEd25519(Uint8Array.of(...good.slice(0, 32), ...moved), utf8(''), key)).toBe(false)
})
