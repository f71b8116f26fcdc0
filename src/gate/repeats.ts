import type { Change } from '../domain/change.ts'
import type { ChangeCommand } from '../domain/draft.ts'
import type { ChangeOp } from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import type { MemoryState, Tally } from '../domain/state.ts'
import { contentHash } from '../hash/ledger.ts'
import type { Sha256 } from '../hash/sha256.ts'

/** A change that was told before in the same way would only grow the ledger: it has a key. */
export function tellingKey(
  sha256: Sha256,
  op: ChangeOp,
  { ref, actor, change }: Pick<ChangeCommand, 'ref' | 'actor' | 'change'>,
): string | null {
  const said = saidIn(change)
  if (said === null) return null
  // What one attests another may attest as well; a note or an outcome is the same whoever tells it.
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

/** Whether what was told then still holds: another note of the same component took its place. */
export const stillHolds = ({ entrySeq }: Tally, memory: MemoryState, change: Change): boolean =>
  change.type !== 'annotate' || memory.notes[change.by] === entrySeq
