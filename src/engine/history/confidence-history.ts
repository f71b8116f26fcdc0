import type { Entry } from '../../domain/entry.ts'
import type { RecordKind, Ref } from '../../domain/ids.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { EntryRow, MetMemory, StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import { type Memory, type NumberChange, viewOf } from '../read/memory-view.ts'
import type { Moment } from '../world.ts'
import { type AnnotationReader, annotationReader } from '../write/annotations.ts'

type Which = 'confidence' | 'strength'

/** The history of a number, read from every entry about the memory. */
export async function numberHistory(
  engine: Pick<Engine, 'read'>,
  ref: Ref,
  which: Which,
): Promise<readonly NumberChange[]> {
  const rows = await engine.read({ type: 'entries', about: ref })
  return changesIn(annotationReader(engine), rows, which)
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
  engine: Pick<Engine, 'read'>,
  found: readonly (StoredMemory | MetMemory)[],
  moment: Moment,
): Promise<readonly Memory<K>[]> {
  const views: Memory<K>[] = []
  const annotations = annotationReader(engine)
  for (const stored of found) {
    const { moves } = stored.state
    const confidenceHistory =
      moves.length === 0 ? NO_MOVES : await movesOf(engine, moves, annotations)
    views.push(viewOf<K>(stored, moment, { confidenceHistory }))
  }
  return views
}

const NO_MOVES: readonly NumberChange[] = []

async function movesOf(
  engine: Pick<Engine, 'read'>,
  seqs: readonly number[],
  annotations: AnnotationReader,
): Promise<readonly NumberChange[]> {
  const rows: EntryRow[] = []
  for (const from of seqs) rows.push(...(await engine.read({ type: 'entries', from, limit: 1 })))
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
