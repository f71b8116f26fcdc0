import type { Tier } from '../../domain/doors.ts'
import type { Entry } from '../../domain/entry.ts'
import type { Ref } from '../../domain/ids.ts'
import type { RecordKind } from '../../domain/kind-names.ts'
import type { Instant } from '../../domain/time.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { EntryRow, MetMemory, StoredMemory } from '../../ports/store.ts'
import type { Moment, Uses } from '../engine.ts'
import { type Memory, viewOf } from '../read/memory-view.ts'
import { type AnnotationReader, annotationReader } from '../write/annotations.ts'

/** One change of a number, with its cause and evidence. */
export interface NumberChange {
  readonly time: Instant
  readonly seq: number
  readonly old: number
  readonly new: number
  /** The code of the operation, and the reason in words. */
  readonly reason: string
  readonly text: string | null
  /** Tier of the words; null without words. */
  readonly tier: Tier | null
  readonly evidence: readonly Ref[]
}

type Which = 'confidence' | 'strength'

/** The history of a number, read from every entry about the memory. */
export async function numberHistory(
  uses: Pick<Uses, 'read'>,
  ref: Ref,
  which: Which,
): Promise<readonly NumberChange[]> {
  const rows = await uses.read({ type: 'entries', about: ref })
  return changesIn(annotationReader(uses), rows, which)
}

/** The changes of a number in given entries. */
export async function changesIn(
  annotations: AnnotationReader,
  rows: readonly EntryRow[],
  which: Which,
): Promise<readonly NumberChange[]> {
  const changes: NumberChange[] = []
  for (const entry of rows.map(({ bytes }) => readEntry(bytes))) {
    const span = entry.decision.facts[which]
    if (isSpan(span)) changes.push(await changeIn(annotations, entry, span))
  }
  return changes
}

/** Whole memories at a moment; only entries that moved a confidence are read. */
export async function viewsOf<K extends RecordKind>(
  uses: Pick<Uses, 'read'>,
  found: readonly (StoredMemory | MetMemory)[],
  moment: Moment,
): Promise<readonly Memory<K>[]> {
  const views: Memory<K>[] = []
  const annotations = annotationReader(uses)
  for (const stored of found) {
    const { moves } = stored.state
    const confidenceHistory =
      moves.length === 0 ? NO_MOVES : await movesOf(uses, moves, annotations)
    views.push(viewOf<K>(stored, moment, { confidenceHistory }))
  }
  return views
}

const NO_MOVES: readonly NumberChange[] = []

async function movesOf(
  uses: Pick<Uses, 'read'>,
  seqs: readonly number[],
  annotations: AnnotationReader,
): Promise<readonly NumberChange[]> {
  const rows: EntryRow[] = []
  for (const from of seqs) rows.push(...(await uses.read({ type: 'entries', from, limit: 1 })))
  return changesIn(annotations, rows, 'confidence')
}

interface Span {
  readonly from: number
  readonly to: number
}

const isSpan = (fact: unknown): fact is Span =>
  typeof fact === 'object' && fact !== null && 'from' in fact && 'to' in fact

async function changeIn(
  annotations: AnnotationReader,
  entry: Entry,
  { from, to }: Span,
): Promise<NumberChange> {
  const { seq, time, op, decision } = entry
  const { evidence } = decision.facts
  return {
    time,
    seq,
    old: from,
    new: to,
    reason: op,
    ...(await annotations.in(entry)),
    evidence: Array.isArray(evidence) ? (evidence as readonly Ref[]) : [], // the gate writes refs
  }
}
