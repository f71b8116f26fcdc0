import type { SealedNote } from '../domain/entry.ts'
import { assert } from '../domain/errors.ts'
import type { Keys, Sealed } from '../fold/fold-memory.ts'

/** What an entry commits to, as it will be kept: a body with its certificate … */
export interface Content {
  readonly sealed: Sealed
  readonly keys: Keys
  readonly salt: Uint8Array
  readonly bytes: Uint8Array
}

/** … or what was said of a memory that exists. */
export interface NoteContent {
  readonly note: SealedNote
  readonly salt: Uint8Array
  readonly bytes: Uint8Array
}

/** What the fold is given of it. */
export const brought = (content: Content | NoteContent | null) => {
  if (content === null) return { sealed: null, note: null }
  if ('note' in content) return { sealed: null, note: content.note }
  return { sealed: { ...content.sealed, keys: content.keys }, note: null }
}

/** Rows of these keys, which are all there. */
export const pick = <Row>(
  rows: ReadonlyMap<string, Row>,
  keys: ReadonlySet<string>,
): readonly Row[] =>
  [...keys].map((key) => {
    const row = rows.get(key)
    assert(row !== undefined, 'a touched row is there')
    return row
  })
