import type { SealedRow } from '../../domain/entry.ts'
import { COMMITMENT_TAG, SALT_BYTES } from '../../ledger/ledger.ts'
import { LEAF_TAG } from '../../ledger/merkle.ts'
import { concatBytes } from '../../ledger/sha256.ts'
import type { EntryRow, LedgerRun, Preimages } from '../../ports/store.ts'
import type { Rows } from './rows.ts'

/** Entries and content between two positions, joined as they are hashed. */
export function runOf(
  rows: Rows,
  { from, to }: { readonly from: number; readonly to: number },
): LedgerRun {
  const isWithin = ({ seq }: { readonly seq: number }): boolean => seq >= from && seq <= to
  const entries = rows.entries.filter(isWithin)
  const sealed = [...rows.sealed.values()].filter(isWithin).sort((a, b) => a.seq - b.seq)
  return joinedAsHashed(entries, sealed)
}

/** The bytes that hashes are computed over, tags included. */
export const joinedAsHashed = (
  entries: readonly EntryRow[],
  sealed: readonly SealedRow[],
): LedgerRun => ({
  entries: preimagesOf(entries.map(({ seq, bytes }) => ({ seq, parts: [LEAF_TAG, bytes] }))),
  hashes: entries.map(({ hash }) => hash).join(),
  prevHashes: entries.map(({ prevHash }) => prevHash).join(),
  sealed: sealsOf(sealed),
})

function sealsOf(sealed: readonly SealedRow[]): Preimages {
  const found = preimagesOf(
    sealed.map(({ seq, salt, bytes }) => ({ seq, parts: [COMMITMENT_TAG, salt, bytes] })),
  )
  const isSalted = (at: number): boolean => sealed[at]?.salt.length === SALT_BYTES
  return { ...found, lengths: found.lengths.map((length, at) => (isSalted(at) ? length : -1)) }
}

interface Hashed {
  readonly seq: number
  readonly parts: readonly Uint8Array[]
}

const preimagesOf = (hashed: readonly Hashed[]): Preimages => ({
  seqs: hashed.map(({ seq }) => seq),
  lengths: hashed.map(({ parts }) => parts.reduce((sum, { length }) => sum + length, 0)),
  bytes: concatBytes(...hashed.flatMap(({ parts }) => parts)),
})
