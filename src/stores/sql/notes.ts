import type { SealedRow } from '../../domain/entry.ts'
import { type Dialect, written } from './dialect.ts'
import { SEALED, sealedOf } from './rows.ts'
import { rowsOf, type Steps } from './steps.ts'

const NOTES = written(
  (d) => `SELECT ${SEALED(d)} FROM ${d.list('bigint')} ${d.one('sealed', 'seq', d.item, 's')}`,
)

interface Noted {
  readonly state: { readonly notes: Readonly<Record<string, number>> }
  readonly notes: readonly SealedRow[]
}

/** Adds the sealed rows of annotations, in one statement and only for memories with any. */
export function* withNotes<M extends Noted>(d: Dialect, found: readonly M[]): Steps<readonly M[]> {
  const seqs: number[] = []
  for (const { state } of found) for (const name in state.notes) seqs.push(state.notes[name] ?? -1)
  if (seqs.length === 0) return found
  const rows = yield* rowsOf(NOTES(d), d.listValue(seqs))
  const bySeq = new Map<number, SealedRow>(rows.map(sealedOf).map((row) => [row.seq, row]))
  return found.map((memory) => {
    const notes = Object.values(memory.state.notes).flatMap((seq) => bySeq.get(seq) ?? [])
    return notes.length === 0 ? memory : { ...memory, notes }
  })
}
