// Section 4 of docs/ledger-format.md: a change is checked against what was folded, and then folded.

import { problemsOfChange } from './naive-changes.ts'
import { dueAfterBirth } from './naive-claims.ts'
import { doubtAtBirth, dueAfterDoubt, standingAfter } from './naive-distrust.ts'
import type { Entry } from './naive-entry.ts'
import { blank, hollow, isGone, keepsKind, mayBeGone, namesErased } from './naive-erased.ts'
import type { Known } from './naive-evidence.ts'
import { dueAfter } from './naive-follows.ts'
import { certified, changed } from './naive-memory.ts'
import { isChange, sealsContent } from './naive-operations.ts'
import type { Ledger, Past } from './naive-verifier.ts'
import { problemsOfNote } from './naive-wishes.ts'

type Reading = { ledger: Ledger; past: Past }

/** A change of a memory that exists: what follows was worked out when it became due. */
export function problemsOfTold(reading: Reading, entry: Entry, isDue: boolean): string[] {
  const { ledger, past } = reading
  const memory = past.memories.get(entry.ref ?? '')
  if (!isChange(entry) || memory === undefined) return []
  if (namesErased(entry, past.erased)) return []
  const row = ledger.sealed.find(({ seq }) => seq === entry.seq)
  const isMissing = row === undefined && mayBeGone(entry, ledger.entries)
  const note = isMissing ? [] : problemsOfNote(entry, row)
  if (isDue) return note
  const before = past.entries.findLast((each) => each?.op !== 'claim.superseded')
  if (keepsKind(entry, before)) return note
  if (past.state === 'MAINTENANCE') return ['changes a memory during maintenance']
  const known = knownTo(reading)
  if (known === undefined) return ['changes a memory under no policy']
  return [...note, ...problemsOfChange({ entry, memory, before }, known)]
}

function knownTo({ ledger, past }: Reading): Known | undefined {
  const policy = past.policies.get(past.policy ?? '')
  return policy && { memories: past.memories, policy, actorKeys: ledger.actorKeys }
}

/** What the entry makes of its memory; what was found wrong is not folded. */
export function fold(
  reading: Reading,
  entry: Entry,
  { isDue, isSound }: { isDue: boolean; isSound: boolean },
): void {
  const { ledger, past } = reading
  const known = knownTo(reading)
  if (entry.op.startsWith('origin.') && isSound) {
    past.due = dueAfterDoubt(entry, { memories: past.memories, keys: ledger.actorKeys })
    past.distrusted = standingAfter(past.distrusted, entry)
  }
  if (entry.ref === null || known === undefined) return
  const { policy } = known
  const memory = past.memories.get(entry.ref)
  if (sealsContent(entry)) {
    const row = ledger.sealed.find(({ seq }) => seq === entry.seq)
    const after = isGone(entry, past.erased)
      ? hollow(memory, entry, policy)
      : row && certified(memory, entry, { row, policy })
    if (after) past.memories.set(entry.ref, after)
    if (isSound) past.due = dueAfterBirth(entry)
  } else if (entry.op === 'memory.erased' && memory) {
    past.memories.set(entry.ref, blank(memory, entry))
  } else if (entry.op === 'quarantine.released' && memory) {
    const doubt = doubtAtBirth(entry, memory.isFirstHand)
    past.memories.set(entry.ref, { ...memory, standing: entry.decision.disposition, doubt })
  } else if (entry.op === 'quarantine.rejected' && memory) {
    past.memories.set(entry.ref, { ...memory, standing: 'Rejected' })
  } else if (isChange(entry) && memory && isSound) {
    if (!isDue) past.due = dueAfter(entry, memory, known)
    past.memories.set(entry.ref, changed(memory, entry, policy))
  }
}
