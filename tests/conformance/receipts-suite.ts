import { expect, test } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import { toInstant } from '../../src/domain/time.ts'
import { RECEIPT_LIMITS, type Receipt, type Receipts } from '../../src/ports/receipts.ts'
import { holds } from '../support/holds.ts'

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
  beside: false,
  ...more,
})

/** What holds of what sessions were told, wherever receipts are kept. */
export function runReceiptsSuite(make: () => Receipts): void {
  holds('FIREWALL-ECHO', 'words beside memories displace none of a memory', async () => {
    const receipts = make()
    const own = { receipt: receipt(1), print: Uint32Array.of(0, 0, 1) }
    await receipts.record([own])
    const junk = Array.from({ length: RECEIPT_LIMITS.toldMax + 50 }, (_, n) => ({
      receipt: receipt(2, { beside: true }),
      print: Uint32Array.of(0, 0, n),
    }))
    await receipts.record(junk)
    expect(await receipts.told('s', TIME)).toEqual([{ ref: own.receipt.ref, print: own.print }])
    await receipts.close()
  })

  test('words beside memories are forgotten with whoever may have given them', async () => {
    const receipts = make()
    const rows = [receipt(1), receipt(1, { beside: true }), receipt(2, { actor: 'ada' })]
    await receipts.record(rows.map((each, n) => ({ receipt: each, print: Uint32Array.of(n) })))
    const kept = async () => (await receipts.all()).map((each) => each.receipt)
    await receipts.forget({ refs: [], actor: null, beside: false })
    expect(await kept()).toEqual(rows)
    await receipts.forget({ refs: [], actor: 'ada', beside: true })
    expect(await kept()).toEqual([rows[0]])
    expect(await receipts.told('s', TIME)).toHaveLength(1)
    await receipts.close()
  })
}
