import type { SealedRow } from '../../domain/entry.ts'
import { SEALED_COLUMNS, sealedOf } from '../sql/rows.ts'
import { each, listed, selected } from './columns.ts'
import type { Connection } from './connection.ts'
import { listOf } from './text.ts'

const NOTES = `
  SELECT ${selected(SEALED_COLUMNS, 's')} FROM ${listed('bigint')}
    ${each('sealed', 'seq', 'j.key', 's')}`

interface Noted {
  readonly state: { readonly notes: Readonly<Record<string, number>> }
  readonly notes: readonly SealedRow[]
}

/** Adds the sealed rows of what was noted later, asked for once and only where there are any. */
export async function withNotes<M extends Noted>(
  connection: Connection,
  found: readonly M[],
): Promise<readonly M[]> {
  const seqs = found.flatMap(({ state }) => Object.values(state.notes))
  if (seqs.length === 0) return found
  const rows = await connection.rows(NOTES, listOf(seqs))
  const bySeq = new Map(rows.map((row) => sealedOf(row, 0)).map((row) => [row.seq, row]))
  return found.map((memory) => {
    const notes = Object.values(memory.state.notes).flatMap((seq) => bySeq.get(seq) ?? [])
    return notes.length === 0 ? memory : { ...memory, notes }
  })
}
