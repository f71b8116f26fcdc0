import { parseCheckpoint } from '../../ledger/checkpoint.ts'
import { parseNote } from '../../ledger/signed-note.ts'
import { type AuditMark, parseMark } from './range.ts'

const NUMBER = /^\d{1,15}$/

/**
 * Where an audit shall begin, as somebody typed it: the number of an entry, the mark of an audit
 * before, or a signed head. Whether a head is signed by whom it should be is for others to look at.
 */
export function sinceIn(text: string): number | AuditMark | null {
  const trimmed = text.trim()
  if (NUMBER.test(trimmed)) return Number(trimmed)
  const note = parseNote(text)
  return note === null ? parseMark(trimmed) : parseCheckpoint(note.text)
}
