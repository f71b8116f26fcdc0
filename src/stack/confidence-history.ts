import type { Entry } from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import type { RecordKind } from '../domain/kind-names.ts'
import type { Instant } from '../domain/time.ts'
import { readEntry } from '../hash/ledger.ts'
import type { MetMemory, StoredMemory } from '../ports/store.ts'
import { type Memory, openNote, viewOf } from './memory-view.ts'
import type { Moment, Uses } from './uses.ts'

/** One change of a number: when, from what to what, why, and on what evidence. */
export interface NumberChange {
  readonly time: Instant
  readonly seq: number
  readonly old: number
  readonly new: number
  /** What happened, as a code, and the words that were given for it. */
  readonly reason: string
  readonly text: string | null
  readonly evidence: readonly Ref[]
}

type Which = 'confidence' | 'strength'

/** How a number of a memory came to be, out of the ledger. */
export async function numberHistory(
  uses: Pick<Uses, 'read'>,
  ref: Ref,
  which: Which,
): Promise<readonly NumberChange[]> {
  const rows = await uses.read({ type: 'entriesAbout', ref })
  const changes: NumberChange[] = []
  for (const entry of rows.map(({ bytes }) => readEntry(bytes))) {
    const span = entry.decision.facts[which]
    if (!isSpan(span)) continue
    changes.push(await changeIn(uses, entry, span))
  }
  return changes
}

/** Memories as they stand at a moment, whole; the ledger is asked only where a number moved. */
export async function viewsOf<K extends RecordKind>(
  uses: Pick<Uses, 'read'>,
  found: readonly (StoredMemory | MetMemory)[],
  moment: Moment,
): Promise<readonly Memory<K>[]> {
  const views: Memory<K>[] = []
  for (const stored of found) {
    const view = viewOf<K>(stored, moment)
    views.push(isUnmoved(stored, view) ? view : await withHistory(uses, view))
  }
  return views
}

const withHistory = async <K extends RecordKind>(
  uses: Pick<Uses, 'read'>,
  view: Memory<K>,
): Promise<Memory<K>> => ({
  ...view,
  confidenceHistory: await numberHistory(uses, view.ref, 'confidence'),
})

/** Whether its confidence is still the one it was born with, without asking the ledger. */
function isUnmoved({ state, sealed }: StoredMemory | MetMemory, view: Memory): boolean {
  const { confidence, revision, bornAt } = state
  if (revision !== 1 || confidence.at !== bornAt) return false
  // A change in the very moment of birth shows only in the number, and a walk opens no content.
  return typeof sealed === 'string' || view.provenance.confidence === confidence.value
}

interface Span {
  readonly from: number
  readonly to: number
}

const isSpan = (fact: unknown): fact is Span =>
  typeof fact === 'object' && fact !== null && 'from' in fact && 'to' in fact

async function changeIn(
  { read }: Pick<Uses, 'read'>,
  { seq, time, op, commitment, decision }: Entry,
  { from, to }: Span,
): Promise<NumberChange> {
  const [row] = commitment === null ? [] : await read({ type: 'sealed', from: seq, to: seq })
  const { evidence } = decision.facts
  return {
    time,
    seq,
    old: from,
    new: to,
    reason: op,
    text: row ? openNote(row).text : null,
    evidence: Array.isArray(evidence) ? (evidence as readonly Ref[]) : [], // the gate writes refs
  }
}
