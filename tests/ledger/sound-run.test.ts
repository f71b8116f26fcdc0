import { beforeAll, describe, expect } from 'vitest'
import { nodeSha256 } from '../../src/compose/node-world.ts'
import { ZERO_HASH } from '../../src/domain/ids.ts'
import { RunChecker } from '../../src/engine/audit/ledger-run.ts'
import type { LedgerRun, Preimages } from '../../src/ports/store.ts'
import { holds } from '../support/holds.ts'
import { longHistory } from './history.ts'
import { flipped } from './vandal.ts'

const ENTRIES = 8 // the first ones: every byte of them is turned

let run: LedgerRun
let hashes: readonly string[]

const leavesOf = (of: LedgerRun, prevHash = ZERO_HASH) =>
  new RunChecker(nodeSha256).leavesOf(of, { from: 0, to: hashes.length - 1, prevHash })

const withBytes = (of: Preimages, bytes: Uint8Array): Preimages => ({ ...of, bytes })

const without = ({ seqs, lengths, bytes }: Preimages, at: number): Preimages => {
  const start = lengths.slice(0, at).reduce((sum, length) => sum + length, 0)
  const isKept = (_: unknown, index: number): boolean => index !== at
  const rest = [...bytes.subarray(0, start), ...bytes.subarray(start + (lengths[at] ?? 0))]
  return {
    seqs: seqs.filter(isKept),
    lengths: lengths.filter(isKept),
    bytes: Uint8Array.from(rest),
  }
}

describe('a run of the ledger', () => {
  beforeAll(async () => {
    const { store, stack } = await longHistory()
    run = await store.read(stack.stackId, { type: 'run', from: 0, to: ENTRIES - 1 })
    const rows = await store.read(stack.stackId, { type: 'entries', from: 0, limit: ENTRIES })
    hashes = rows.map(({ hash }) => hash)
  })

  holds('LEDGER-DETECT', 'that is unharmed gives the hashes of its entries', () => {
    expect(leavesOf(run)).toEqual(hashes)
  })

  holds('LEDGER-DETECT', 'is not sound when any byte of an entry is another', () => {
    for (let place = 0; place < run.entries.bytes.length; place += 1) {
      const entries = withBytes(run.entries, flipped(run.entries.bytes, place))
      expect(leavesOf({ ...run, entries }), `byte ${place}`).toBeNull()
    }
  })

  holds('LEDGER-DETECT', 'is not sound when any byte of its content is another', () => {
    for (let place = 0; place < run.sealed.bytes.length; place += 1) {
      const sealed = withBytes(run.sealed, flipped(run.sealed.bytes, place))
      expect(leavesOf({ ...run, sealed }), `byte ${place}`).toBeNull()
    }
  })

  holds('LEDGER-DETECT', 'is not sound when an entry or content is missing or moved', () => {
    for (const at of run.entries.seqs.keys()) {
      expect(leavesOf({ ...run, entries: without(run.entries, at) }), `entry ${at}`).toBeNull()
    }
    for (const at of run.sealed.seqs.keys()) {
      expect(leavesOf({ ...run, sealed: without(run.sealed, at) }), `content ${at}`).toBeNull()
    }
    const moved = { ...run.sealed, seqs: run.sealed.seqs.map((seq) => seq + 1) }
    expect(leavesOf({ ...run, sealed: moved })).toBeNull()
    const named = { ...run.entries, seqs: run.entries.seqs.map((seq) => seq + 1) }
    expect(leavesOf({ ...run, entries: named })).toBeNull()
  })

  holds('LEDGER-DETECT', 'is not sound when a stored hash or link is another', () => {
    const other = (text: string): string => text.replace(/[0-9a-f](?=[^0-9a-f]*$)/, 'x')
    expect(leavesOf({ ...run, hashes: other(run.hashes) })).toBeNull()
    expect(leavesOf({ ...run, prevHashes: other(run.prevHashes) })).toBeNull()
    expect(leavesOf(run, nodeSha256('another'))).toBeNull()
  })
})
