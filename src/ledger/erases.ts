import type { Entry } from '../domain/entry.ts'
import { isSaidBy } from '../domain/erasure.ts'
import { isHash } from '../domain/ids.ts'

/** What is looked at of an entry whose content is gone. */
export type Committed = Pick<Entry, 'seq' | 'ref' | 'commitment'> & Parameters<typeof isSaidBy>[1]

/** Whether an entry says that what another sealed is gone: all of its memory, or of who said it. */
export function erases(by: Entry, entry: Committed): boolean {
  if (by.seq <= entry.seq || entry.commitment === null) return false
  if (by.op === 'memory.erased') return entry.ref !== null && entry.ref === by.ref
  const { of } = by.decision.facts
  return by.op === 'actor.erased' && isHash(of) && isSaidBy(of, entry)
}
