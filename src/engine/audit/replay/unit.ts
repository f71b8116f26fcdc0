import type { Entry, SealedRow, StoredEntry } from '../../../domain/entry.ts'
import { MunimentError } from '../../../domain/errors.ts'
import { LIMITS } from '../../../domain/limits.ts'
import { readEntry } from '../../../ledger/ledger.ts'
import type { Reading } from '../../history/why.ts'

/** The entries of one draft: captures, the memory, and consequences. */
export interface DraftUnit {
  readonly entries: readonly StoredEntry[]
  /** The entry of the draft's memory. */
  readonly main: Entry
}

/** All entries of the unit that contains an entry. */
export async function unitAround(
  { store, stackId }: Reading,
  seq: number,
): Promise<readonly StoredEntry[]> {
  const [row] = await store.read(stackId, { type: 'entries', from: seq, limit: 1 })
  if (!row || row.seq !== seq) throw new MunimentError('not_found', `There is no entry ${seq}.`)
  const { unit } = readEntry(row.bytes)
  const entries: StoredEntry[] = []
  for (;;) {
    const from = unit + entries.length
    const limit = LIMITS.pageItemsMax
    const rows = await store.read(stackId, { type: 'entries', from, limit })
    for (const { bytes, hash } of rows) {
      const entry = readEntry(bytes)
      if (entry.unit !== unit) return entries
      entries.push({ entry, bytes, hash })
    }
    if (rows.length < limit) return entries
  }
}

/** Null for units without a draft: a change, a refusal, a repeat, or an entry of the stack. */
export function draftUnitOf(entries: readonly StoredEntry[]): DraftUnit | null {
  const main = entries.find(({ entry }) => isTakenIn(entry))?.entry
  return main === undefined || main.decision.facts.overruled !== undefined
    ? null
    : { entries, main }
}

/** Only the draft's memory records a depth; captures do not. */
const isTakenIn = ({ op, decision }: Entry): boolean =>
  (op === 'memory.saved' || op === 'memory.revised') && decision.facts.depth !== undefined

/** The sealed content of the unit, by entry; null where part was erased. */
export async function sealedOf(
  { store, stackId }: Reading,
  entries: readonly StoredEntry[],
): Promise<ReadonlyMap<number, SealedRow> | null> {
  const from = entries[0]?.entry.seq ?? 0
  const rows = await store.read(stackId, {
    type: 'table',
    name: 'sealed',
    from,
    to: from + entries.length - 1,
  })
  const sealed = new Map(rows.map((row) => [row.seq, row]))
  const gone = entries.filter(({ entry }) => entry.commitment !== null && !sealed.has(entry.seq))
  if (gone.length === 0) return sealed
  const erasures = await store.read(stackId, { type: 'table', name: 'erasures' })
  const erased = new Set(erasures.map(({ seq }) => seq))
  const lost = gone.find(({ entry }) => !erased.has(entry.seq))
  if (!lost) return null
  throw new MunimentError('data_loss', `What entry ${lost.entry.seq} sealed is gone.`, {
    hint: 'No erasure says so. Run audit.',
  })
}
