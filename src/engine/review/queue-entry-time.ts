import { MunimentError } from '../../domain/errors.ts'
import type { Instant } from '../../domain/time.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import type { ChangeProposal } from './proposals.ts'

interface WaitingItem {
  readonly stored: StoredMemory
  /** Opposing memories of a contest or a contradiction. */
  readonly against: readonly StoredMemory[]
  readonly wish: ChangeProposal | null
}

/**
 * Time at which an item entered the review queue: with its last proposal, flag or opposing memory.
 * A memory may be years older than the question about the memory.
 */
export async function waitingSince(
  { read }: Pick<Engine, 'read'>,
  { stored, against, wish }: WaitingItem,
): Promise<Instant> {
  const seqs = [stored, ...against].map(({ state }) => state.seq)
  const flagged = stored.state.flags.map(({ seq }) => seq)
  const seq = wish?.seq ?? Math.max(...seqs, ...flagged)
  const [row] = await read({ type: 'entries', from: seq, limit: 1 })
  if (!row) throw new MunimentError('data_loss', `The entry ${seq} is missing.`)
  return readEntry(row.bytes).time
}
