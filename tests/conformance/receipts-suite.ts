import { expect, test } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import { toInstant } from '../../src/domain/time.ts'
import type { Receipt, Receipts } from '../../src/ports/receipts.ts'

const TIME = toInstant(Date.parse('2026-01-01T00:00:00.000Z'))

const receipt = (n: number, more: Partial<Receipt> = {}): Receipt => ({
  time: TIME,
  session: 's',
  turn: null,
  actor: 'test:host',
  door: 'lib',
  operation: 'why',
  ref: `note:01980000-0000-7000-8000-${String(n).padStart(12, '0')}` as Ref, // the shape of one
  tier: 1,
  ...more,
})

/** What holds of what sessions were told, wherever receipts are kept. */
export function runReceiptsSuite(make: () => Receipts): void {
  test('are forgotten with whoever was told, and with the memory', async () => {
    const receipts = make()
    const rows = [receipt(1), receipt(2, { actor: 'ada' }), receipt(3)]
    await receipts.record(rows.map((each, n) => ({ receipt: each, print: Uint32Array.of(n) })))
    const kept = async () => (await receipts.all()).map((each) => each.receipt)
    await receipts.forget({ refs: [], actor: null })
    expect(await kept()).toEqual(rows)
    await receipts.forget({ refs: [receipt(3).ref], actor: 'ada' })
    expect(await kept()).toEqual([rows[0]])
    expect(await receipts.told('s', TIME)).toHaveLength(1)
    await receipts.close()
  })
}
