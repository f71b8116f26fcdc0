import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteOrder } from './canonical.ts'

test('texts stand in the order of their UTF-8 bytes', () => {
  const text = fc.string({ unit: 'binary', maxLength: 6 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(byteOrder(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
    { examples: [['👩', '\ufb00']] },
  )
})
