import { parseCheckpoint, parseNote } from '../../ledger/signed-note.ts'
import { type AuditMark, parseMark } from './range.ts'

const NUMBER = /^\d{1,15}$/

/** Parses the start of an audit: entry number, mark or signed head, with unchecked signature. */
export function sinceIn(text: string): number | AuditMark | null {
  const trimmed = text.trim()
  if (NUMBER.test(trimmed)) return Number(trimmed)
  const note = parseNote(text)
  return note === null ? parseMark(trimmed) : parseCheckpoint(note.text)
}
