import type { Change } from '../domain/change.ts'
import type { ChangeOp, StoredEntry } from '../domain/entry.ts'
import { assert } from '../domain/errors.ts'
import type { Ref } from '../domain/ids.ts'
import type { MemoryState, Tally } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import type { ChangeCommand, Outcome } from '../domain/write.ts'
import { contentHash } from '../ledger/ledger.ts'
import type { Sha256 } from '../ledger/sha256.ts'
import type { Desk } from './desk.ts'
import { countRepeat, openTally } from './tally.ts'

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

/** Makes the entry findable by its key; nothing is counted yet. */
export function rememberTelling(
  desk: Desk,
  telling: { readonly key: string; readonly about: Ref; readonly stored: StoredEntry },
): void {
  desk.putTally(openTally({ rule: 'admit', ...telling }))
}

/** An actor's repeated attestation is counted, so that repeating does not grow the ledger. */
export function attestedAgain(desk: Desk, key: string, time: Instant): Outcome {
  const tally = desk.tally(key)
  assert(tally !== undefined, 'an attestation that is repeated was told')
  desk.putTally(countRepeat(tally, time))
  const entry = { seq: tally.entrySeq, hash: tally.entryHash }
  return { type: 'changed', result: { changed: false, reason: 'attested', entry, flagged: [] } }
}
