import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import { DAY_MS, toInstant } from '../../src/domain/time.ts'
import { SessionPrints } from '../../src/engine/read/session-prints.ts'
import type { KeptReceipt } from '../../src/ports/receipts.ts'
import { printOf } from '../../src/recall/embed/print.ts'
import { SqliteReceipts } from '../../src/stores/sqlite/receipts.ts'
import { scratch } from '../cli/support/scratch.ts'

const START = Date.parse('2026-01-01T00:00:00.000Z')
const SINCE = toInstant(START)

const served = (ref: string, ms = START): KeptReceipt => ({
  receipt: {
    time: toInstant(ms),
    session: 's',
    turn: null,
    actor: 'test:host',
    door: 'lib',
    operation: 'search',
    ref: ref as Ref, // the shape of one
    tier: 1,
  },
  print: printOf(`${ref} in words`),
})

/** Two processes with the receipts of one stack. */
function twoProcesses() {
  const file = path.join(scratch(), 'receipts')
  const [ours, theirs] = [new SqliteReceipts({ path: file }), new SqliteReceipts({ path: file })]
  const prints = new SessionPrints(ours)
  const known = async (since = SINCE) => (await prints.of('s', since)).all().map(({ ref }) => ref)
  return { ours, theirs, prints, known }
}

describe('the prints of a session', () => {
  test('are read once, and grow with the receipts of this process', async () => {
    const { ours, prints, known } = twoProcesses()
    await ours.record([served('note:1')])
    expect(await known()).toEqual(['note:1'])
    const before = await prints.of('s', SINCE)
    await ours.record([served('note:2')])
    prints.add([served('note:2')])
    expect(await known()).toEqual(['note:1', 'note:2'])
    expect(await prints.of('s', SINCE)).toBe(before)
  })

  test('are read anew when another process served or forgot something', async () => {
    const { ours, theirs, known } = twoProcesses()
    await ours.record([served('note:1')])
    expect(await known()).toEqual(['note:1'])
    await theirs.record([served('note:2')])
    expect(await known()).toEqual(['note:1', 'note:2'])
    await theirs.forget({ refs: ['note:1' as Ref], actor: null })
    expect(await known()).toEqual(['note:2'])
  })

  test('are read anew on another day, when old receipts count no more', async () => {
    const { ours, known } = twoProcesses()
    await ours.record([served('note:1'), served('note:2', START + DAY_MS)])
    expect(await known()).toEqual(['note:1', 'note:2'])
    expect(await known(toInstant(START + DAY_MS))).toEqual(['note:2'])
  })
})
