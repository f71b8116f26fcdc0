import { isBelieved } from '../../domain/distrust.ts'
import { LimitError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { Engine } from '../engine.ts'
import { type AsOf, memoryAsOf, momentAsOf, type Past } from '../read/as-of.ts'
import { type Memory, viewOf } from '../read/memory-view.ts'

/** The difference of one memory between two moments. */
export interface Difference {
  readonly ref: Ref
  readonly before: Memory | null
  readonly after: Memory | null
  readonly members: readonly string[]
}

export interface Diff {
  readonly from: { readonly seq: number; readonly time: string }
  readonly to: { readonly seq: number; readonly time: string }
  /** Saved between the two moments. */
  readonly added: readonly Difference[]
  /** No longer recalled or believed: forgotten, superseded, rejected. */
  readonly lost: readonly Difference[]
  readonly changed: readonly Difference[]
}

const PAGE = 500
/** Compared fields, without fields that follow from time alone. */
const COMPARED = [
  'version',
  'disposition',
  'tier',
  'stored',
  'isProtected',
  'tags',
  'status',
  'annotations',
  'verificationCount',
  'timesReinforced',
  'evidence',
  'flags',
] as const satisfies readonly (keyof Memory)[]

/** Added, lost and changed memories between two moments; linear in the entries between them. */
export async function diff(engine: Engine, a: AsOf, b: AsOf): Promise<Diff> {
  const [one, two] = [await momentAsOf(engine, a), await momentAsOf(engine, b)]
  const [from, to] = one.seq <= two.seq ? [one, two] : [two, one]
  const differences: Difference[] = []
  for (const ref of await touched(engine, from.seq, to.seq)) {
    const before = await viewAsOf(engine, ref, from)
    const after = await viewAsOf(engine, ref, to)
    const members = COMPARED.filter((name) => text(before?.[name]) !== text(after?.[name]))
    if (members.length > 0) differences.push({ ref, before, after, members })
  }
  const isAdded = ({ before }: Difference): boolean => before === null
  const isLost = ({ before, after }: Difference): boolean =>
    before !== null && isHeld(before, from) && !(after && isHeld(after, to))
  return {
    from: { seq: from.seq, time: from.now },
    to: { seq: to.seq, time: to.now },
    added: differences.filter(isAdded),
    lost: differences.filter(isLost),
    changed: differences.filter((each) => !isAdded(each) && !isLost(each)),
  }
}

const text = (value: unknown): string => JSON.stringify(value ?? null)

const isHeld = (memory: Memory, { policy }: Past): boolean =>
  memory.stored.strength > 0 && isBelieved(memory.disposition, policy)

async function viewAsOf(engine: Engine, ref: Ref, past: Past): Promise<Memory | null> {
  const stored = await memoryAsOf(engine, ref, past)
  return stored && viewOf(stored, past)
}

async function touched({ read }: Engine, from: number, to: number): Promise<ReadonlySet<Ref>> {
  const refs = new Set<Ref>()
  for (let at = from + 1; at <= to; at += PAGE) {
    const limit = Math.min(PAGE, to - at + 1)
    for (const { bytes } of await read({ type: 'entries', from: at, limit })) {
      const { ref } = readEntry(bytes)
      if (ref !== null) refs.add(ref)
    }
    if (refs.size > LIMITS.lineageVisitMax) {
      throw new LimitError('lineageVisitMax', LIMITS.lineageVisitMax, refs.size)
    }
  }
  return refs
}
