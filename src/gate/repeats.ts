import type { Change } from '../domain/change.ts'
import type { ChangeOp } from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import type { MemoryState, Tally } from '../domain/state.ts'
import type { ChangeCommand } from '../domain/write.ts'
import { contentHash } from '../ledger/ledger.ts'
import type { Sha256 } from '../ledger/sha256.ts'

/** A repeat of an earlier change would only grow the ledger; the key finds the earlier entry. */
export function tellingKey(
  sha256: Sha256,
  op: ChangeOp,
  { ref, actor, change }: Pick<ChangeCommand, 'ref' | 'actor' | 'change'>,
): string | null {
  const said = saidIn(change)
  if (said === null) return null
  // Each actor may attest alike, so the key names the actor; a note or an outcome has no author in
  // its key.
  if (op === 'memory.attested')
    return JSON.stringify(['attested', ref, actor, contentHash(sha256, said)])
  if (op !== 'memory.annotated' && op !== 'memory.processed') return null
  return JSON.stringify([op, ref, contentHash(sha256, said)])
}

const ordered = (refs: readonly Ref[]): readonly Ref[] => [...new Set(refs)].sort()

function saidIn(change: Change): readonly unknown[] | null {
  switch (change.type) {
    case 'verify':
    case 'reinforce':
      return [change.type, ordered(change.evidence)]
    case 'describe':
      return [change.type, change.confidence, change.tags]
    case 'annotate':
      return [change.by, change.fields]
    case 'process':
      return [ordered(change.into)]
    default:
      return null
  }
}

/** False once a newer note of the same component replaced the recorded note. */
export const stillHolds = ({ entrySeq }: Tally, memory: MemoryState, change: Change): boolean =>
  change.type !== 'annotate' || memory.notes[change.by] === entrySeq
