import type { Entry, SealedRow, StoredEntry } from '../../domain/entry.ts'
import type { Ref } from '../../domain/ids.ts'
import { asToldThere, receivedIn } from '../../domain/received.ts'
import type { MergedStep } from '../../fold/merged-order.ts'
import { brought, contentOf } from '../../gate/words.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { Sha256 } from '../../ledger/sha256.ts'
import type { EntryRow } from '../../ports/store.ts'
import type { Read } from '../world.ts'

/** An entry as history shows it: of another replica, where the entry was received. */
export function toldEntry(bytes: Uint8Array): Entry {
  const local = readEntry(bytes)
  const received = receivedIn(local)
  return received ? asToldThere(local, received) : local
}

const toldIn = (entry: Entry): Entry => receivedIn(entry)?.entry ?? entry

/** An entry with its opened content; erased content is absent. */
export function stepOf(
  sha256: Sha256,
  stored: StoredEntry,
  sealed: SealedRow | undefined,
): MergedStep {
  const told = toldIn(stored.entry)
  return { stored, ...brought(sealed ? contentOf(sha256, told, sealed) : null) }
}

export interface History {
  readonly read: Read
  readonly sha256: Sha256
}

/** All entries about a memory before a position of the ledger, with their content. */
export async function stepsAbout(
  history: History,
  ref: Ref,
  before = Number.POSITIVE_INFINITY,
): Promise<readonly MergedStep[]> {
  const rows = await history.read({ type: 'entries', about: ref })
  return stepsIn(
    history,
    rows.filter(({ seq }) => seq < before),
  )
}

export async function stepsIn(
  { read, sha256 }: History,
  rows: readonly EntryRow[],
): Promise<readonly MergedStep[]> {
  const steps: MergedStep[] = []
  for (const { seq, bytes, hash } of rows) {
    const stored: StoredEntry = { entry: readEntry(bytes), bytes, hash }
    const isSealed = stored.entry.commitment !== null
    const [sealed] = isSealed
      ? await read({ type: 'table', name: 'sealed', from: seq, to: seq })
      : []
    steps.push(stepOf(sha256, stored, sealed))
  }
  return steps
}
