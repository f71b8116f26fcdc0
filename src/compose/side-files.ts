import { chmodSync, copyFileSync, existsSync } from 'node:fs'
import type { StackId } from '../domain/ids.ts'
import { originOf, parseCheckpoint, parseNote } from '../ledger/signed-note.ts'
import type { Store } from '../ports/store.ts'
import { appendLines } from './append-lines.ts'
import { fileShelf } from './checkpoint-shelf.ts'
import { headsBeside, receiptsFile, waitingBeside } from './open-stack.ts'

interface SideFilesCopy {
  /** The file that was restored, with its side files next to it where it was a stack. */
  readonly from: string
  readonly to: string
  readonly stackId: StackId
  /** The restored stack. */
  readonly store: Pick<Store, 'read'>
}

/**
 * Copies what lies next to a restored file: receipts, and the signed heads that the restored ledger
 * reaches. A later head would say that entries of the restored ledger are missing, so it stays behind.
 */
export async function copySideFiles({ from, to, stackId, store }: SideFilesCopy): Promise<void> {
  for (const end of ['', '-wal']) {
    const receipts = receiptsFile(from) + end
    if (!existsSync(receipts)) continue
    copyFileSync(receipts, receiptsFile(to) + end)
    chmodSync(receiptsFile(to) + end, 0o600)
  }
  const { stack, tip } = await store.read(stackId, { type: 'standing' })
  if (stack.uid === null) return
  const origin = originOf(stack.uid, stackId)
  for (const place of [headsBeside, waitingBeside]) {
    const notes = await fileShelf(place(from)).all()
    const reached = notes.filter((note) => {
      const head = parseCheckpoint(parseNote(note)?.text ?? '')
      return head !== null && head.origin === origin && head.size <= tip.head.seq + 1
    })
    if (reached.length > 0) {
      appendLines(
        place(to),
        reached.map((note) => JSON.stringify(note)),
      )
    }
  }
}
