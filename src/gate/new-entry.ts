import type { Decision, Entry, EntryOp } from '../domain/entry.ts'
import { assert } from '../domain/errors.ts'
import type { StackState } from '../domain/state.ts'

/** Entry fields the desk fills in itself. */
type Placed = 'v' | 'stack' | 'replica' | 'seq' | 'prevHash' | 'policy'

export type Fields = Omit<Entry, Placed>

/** A new entry; members that are left out are empty, and the entry is a unit of its own. */
export type NewEntry = Pick<Fields, 'op' | 'time'> &
  Partial<Omit<Fields, 'decision' | 'commitment'>> & { readonly decision?: Partial<Decision> }

export const EMPTY = {
  ...{ ref: null, revision: null, actor: null, door: null, label: null, tier: null },
  parents: [],
} as const

export const UNDECIDED: Decision = { rule: null, disposition: null, reasons: [], facts: {} }

/** Entries that name the replica writing from here on, themselves included. */
const NAMES_REPLICA: ReadonlySet<EntryOp> = new Set(['genesis', 'replica.started'])

/** The replica that an entry names: its own, or the one that writes here. */
export function replicaOf(
  { op, decision }: Fields,
  { replica }: Pick<StackState, 'replica'>,
): string {
  const named = NAMES_REPLICA.has(op) ? String(decision.facts.replica) : replica
  assert(named !== null, 'every entry names its replica')
  return named
}
