import { assert } from './errors.ts'
import type { Batch, Head } from './waist.ts'

export const isSameHead = (a: Head, b: Head): boolean =>
  a.seq === b.seq && a.hash === b.hash && a.rev === b.rev

/** Every store checks this before a write: the batch continues from the stack's head. */
export function assertContinues(batch: Batch, expected: Head): void {
  let { seq, hash } = expected
  for (const { entry, hash: own } of batch.entries) {
    assert(entry.seq === seq + 1, 'ledger is dense')
    assert(entry.prevHash === hash, 'entry names its predecessor')
    seq = entry.seq
    hash = own
  }
  const { head, tree } = batch.tip
  assert(head.seq === seq && head.hash === hash, 'the new head is the last entry')
  assert(head.rev === expected.rev + 1, 'every commit raises rev by one')
  assert(tree.size === seq + 1, 'the tree has one leaf for every entry')
}
