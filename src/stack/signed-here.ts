import { MunimentError } from '../domain/errors.ts'
import { type Checkpoint, parseCheckpoint } from '../hash/checkpoint.ts'
import { parseNote } from '../hash/signed-note.ts'
import type { CheckpointShelf } from '../ports/signer.ts'

type Signed = Pick<CheckpointShelf, 'all' | 'isShared'>

/**
 * The last head signed here, whichever log it is of; where logs share a shelf, the last of this one. A
 * line that is no head does not hide the heads before it.
 */
export async function lastHead(shelf: Signed, origin: string | null): Promise<Checkpoint | null> {
  const notes = await shelf.all()
  for (const note of notes.toReversed()) {
    const head = parseCheckpoint(parseNote(note)?.text ?? '')
    if (head && (!shelf.isShared || head.origin === origin)) return head
  }
  return null
}

/**
 * Where there is no entry: heads that were signed here say that there was a ledger. It is not mended, and
 * one begun in its place would hide that it was lost (LEDGER-DETECT).
 */
export async function assertNoneSigned(shelf: Signed | undefined): Promise<void> {
  const head = shelf && (await lastHead(shelf, null))
  if (!head || head.size === 0) return
  throw new MunimentError(
    'data_loss',
    `There is nothing here any more: the last head signed here is of ${head.size} entries.`,
    {
      hint: 'Bring it back from a copy: muniment restore <copy> --replace. To begin anew, first move the signed heads away, in the file that ends in .checkpoints.',
      facts: { signed: head.size },
    },
  )
}
