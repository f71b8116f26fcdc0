import { MunimentError } from '../../domain/errors.ts'
import { type Checkpoint, originOf, parseCheckpoint } from '../../ledger/checkpoint.ts'
import { parseNote } from '../../ledger/signed-note.ts'
import type { CheckpointShelf } from '../../ports/signer.ts'

type Signed = Pick<CheckpointShelf, 'all' | 'isShared'>

/**
 * The last head signed here, of any log; on a shared shelf, the last head of this log. A malformed
 * line does not hide the heads before.
 */
export async function lastHead(shelf: Signed, origin: string | null): Promise<Checkpoint | null> {
  const notes = await shelf.all()
  for (const note of notes.toReversed()) {
    const head = parseCheckpoint(parseNote(note)?.text ?? '')
    if (head && (!shelf.isShared || head.origin === origin)) return head
  }
  return null
}

/** The identity and the last entry of a stored ledger. */
export interface StoredLedger {
  readonly stackId: string
  readonly uid: string | null
  readonly seq: number
}

/**
 * The error for a ledger that ends before a head signed here; null where no entry is missing. A
 * lost ledger is never repaired or overwritten, because a write would hide the loss
 * (LEDGER-DETECT).
 */
export function lossAgainst(
  signed: Checkpoint | null,
  { stackId, uid, seq }: StoredLedger,
): MunimentError | null {
  if (signed === null || signed.size === 0) return null
  if (uid === null) return nothingLeft(signed.size)
  const isLonger = signed.origin === originOf(uid, stackId) && signed.size > seq + 1
  return isLonger ? olderCopy(signed.size, seq + 1) : null
}

const nothingLeft = (signed: number): MunimentError =>
  new MunimentError(
    'data_loss',
    `There is nothing here any more: the last head signed here is of ${signed} entries.`,
    {
      hint: 'Bring it back from a copy: muniment restore <copy> --replace. To begin anew, first move the signed heads away, in the file that ends in .checkpoints.',
      facts: { signed },
    },
  )

const olderCopy = (signed: number, found: number): MunimentError =>
  new MunimentError(
    'data_loss',
    `Entries are missing: a head of ${signed} entries was signed here, and the ledger has ${found}. An older copy was put in its place, or entries were lost.`,
    {
      hint: 'Nothing is read or written here. Put the newer file back, or restore the older copy on purpose: muniment restore <copy> --replace. Restoring sets the later heads aside.',
      facts: { signed, found },
    },
  )
