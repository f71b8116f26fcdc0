import type { SealedRow } from '../../domain/entry.ts'
import { SEALED, sealedOf } from '../sql/rows.ts'
import type { Connection } from './connection.ts'

const NOTES = `SELECT ${SEALED} FROM json_each(?) j CROSS JOIN sealed s ON s.seq = j.value`

interface Noted {
  readonly state: { readonly notes: Readonly<Record<string, number>> }
  readonly notes: readonly SealedRow[]
}

/** Adds the sealed rows of what was noted later, asked for once and only where there are any. */
export function withNotes<M extends Noted>(
  connection: Connection,
  found: readonly M[],
): readonly M[] {
  const seqs: number[] = []
  for (const { state } of found) for (const name in state.notes) seqs.push(state.notes[name] ?? -1)
  if (seqs.length === 0) return found
  const rows = connection
    .prepare(NOTES)
    .all(JSON.stringify(seqs))
    .map((row) => sealedOf(row, 0))
  const bySeq = new Map<number, SealedRow>(rows.map((row) => [row.seq, row]))
  return found.map((memory) => {
    const notes = Object.values(memory.state.notes).flatMap((seq) => bySeq.get(seq) ?? [])
    return notes.length === 0 ? memory : { ...memory, notes }
  })
}
