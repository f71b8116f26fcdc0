import type { Entry, SealedRow } from '../../domain/entry.ts'
import { MunimentError } from '../../domain/errors.ts'
import { commitmentOf, readEntry } from '../../ledger/ledger.ts'
import type { Engine } from '../engine.ts'

type Reading = Pick<Engine, 'read' | 'sha256'>

/** Throws where stored words differ from the commitment of their entry; erased words pass. */
export async function assertWritten(
  { read, sha256 }: Reading,
  seqs: readonly number[],
): Promise<void> {
  for (const seq of new Set(seqs)) {
    const [row] = await read({ type: 'entries', from: seq, limit: 1 })
    const [sealed] = await read({ type: 'table', name: 'sealed', from: seq, to: seq })
    if (row?.seq === seq && sealed) assertCommitted(sha256, readEntry(row.bytes), sealed)
  }
}

export function assertCommitted(
  sha256: Reading['sha256'],
  { seq, ref, commitment }: Pick<Entry, 'seq' | 'ref' | 'commitment'>,
  { salt, bytes }: Pick<SealedRow, 'salt' | 'bytes'>,
): void {
  if (commitmentOf(sha256, salt, bytes) === commitment) return
  throw new MunimentError('audit_failed', 'The words are not those that were written.', {
    hint: `Somebody changed them in the stack’s file, past the ledger: entry ${seq}. muniment audit names every such place.`,
    facts: { seq, ref },
  })
}
