import type { SealedNote } from '../domain/entry.ts'
import { assert } from '../domain/errors.ts'
import type { Keys, Sealed } from '../fold/fold-memory.ts'

/** The content an entry commits to: a body with its birth certificate. */
export interface Content {
  readonly sealed: Sealed
  readonly keys: Keys
  readonly salt: Uint8Array
  readonly bytes: Uint8Array
}

/** An annotation or other text about a memory that exists; the entry commits to the bytes. */
export interface NoteContent {
  readonly note: SealedNote
  readonly salt: Uint8Array
  readonly bytes: Uint8Array
}

/** The sealed content or the note, in the shape that the fold takes. */
export const brought = (content: Content | NoteContent | null) => {
  if (content === null) return { sealed: null, note: null }
  if ('note' in content) return { sealed: null, note: content.note }
  return { sealed: { ...content.sealed, keys: content.keys }, note: null }
}

/** Rows of the given keys; every key must have a row. */
export const pick = <Row>(
  rows: ReadonlyMap<string, Row>,
  keys: ReadonlySet<string>,
): readonly Row[] =>
  [...keys].map((key) => {
    const row = rows.get(key)
    assert(row !== undefined, 'a touched row is there')
    return row
  })
