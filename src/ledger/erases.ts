import type { Entry } from '../domain/entry.ts'
import { isSaidBy } from '../domain/erasure.ts'
import { isHash } from '../domain/ids.ts'

/** The members of an entry that decide which erasures cover the entry's content. */
export type Committed = Pick<Entry, 'seq' | 'ref' | 'commitment'> & Parameters<typeof isSaidBy>[1]

/** True where `by` records the erasure of the entry's content, by memory or by actor. */
export function erases(by: Entry, entry: Committed): boolean {
  if (by.seq <= entry.seq || entry.commitment === null) return false
  if (by.op === 'memory.erased') return entry.ref !== null && entry.ref === by.ref
  const { of } = by.decision.facts
  return by.op === 'actor.erased' && isHash(of) && isSaidBy(of, entry)
}
