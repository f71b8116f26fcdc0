import type { Entry } from '../../domain/entry.ts'
import type { Ref } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Policy } from '../../domain/policy.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Family } from '../../gate/cascade.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import { type Due, found, type Progress } from './progress.ts'

/** Compares the entry with the next due entry; no other entry may come between. */
export function takeDue(progress: Progress, entry: Entry): 'was_due' | 'nothing_due' | 'other' {
  const [due, ...later] = progress.due
  if (due === undefined) return 'nothing_due'
  progress.due = later
  if (isDue(due, entry, progress.hollow)) return 'was_due'
  // The change of an erased memory is unknown, so its entry may be missing.
  if (progress.hollow.has(due.ref) && due.op === 'memory.strengthened') {
    return takeDue(progress, entry)
  }
  progress.due = []
  const detail = `${due.op} of ${due.ref} should follow from entry ${due.lead.seq}`
  found(progress, 'entry.operation', { seq: entry.seq, ref: entry.ref, detail })
  return 'other'
}

const isDue = ({ op, ref, facts, lead }: Due, entry: Entry, hollow: ReadonlySet<Ref>): boolean =>
  entry.op === op &&
  entry.decision.rule === null &&
  entry.ref === ref &&
  (hollow.has(ref) || canonicalize(entry.decision.facts) === canonicalize(facts)) &&
  entry.unit === lead.unit &&
  entry.actor === lead.actor &&
  entry.door === lead.door &&
  entry.time === lead.time &&
  canonicalize(entry.label) === canonicalize(lead.label)

/** A ledger must not end before all due entries are recorded. */
export function checkNothingDue(progress: Progress, head: number): void {
  const { last, memories } = progress
  const made = last?.entry.ref ? memories.get(last.entry.ref) : undefined
  if (last?.entry.op === 'memory.saved' && made?.captured) {
    const detail = 'the memory that it was captured for is missing'
    found(progress, 'entry.operation', { seq: head, ref: made.ref, detail })
  }
  const due = progress.due.find(
    ({ ref, op }) => !(op === 'memory.strengthened' && progress.hollow.has(ref)),
  )
  if (due === undefined) return
  const detail = `${due.op} of ${due.ref} is missing: the entry ${due.lead.seq} asks for it`
  found(progress, 'entry.operation', { seq: head, ref: due.ref, detail })
}

/** The relatives of a memory among the entries so far. */
export const familyIn = (progress: Progress, policy: Policy): Family => ({
  policy,
  memory: (ref) => progress.memories.get(ref),
  childrenOf: (ref) => childrenIn(progress, ref).slice(0, LIMITS.cascadeFlagsMax + 1),
})

/** Builds the index of children on first use: most ledgers never need the index. */
export function childrenIn(progress: Progress, ref: Ref): readonly MemoryState[] {
  if (progress.children === null) {
    progress.children = new Map()
    for (const memory of progress.memories.values()) noteChild(progress, memory)
  }
  return [...(progress.children.get(ref) ?? [])]
    .flatMap((child) => progress.memories.get(child) ?? [])
    .filter(({ parents }) => parents.includes(ref)) // a revision may have changed the parents
    .sort((a, b) => a.seq - b.seq)
}

export function noteChild({ children }: Progress, { ref, parents }: MemoryState): void {
  if (children === null) return
  for (const parent of parents) children.set(parent, (children.get(parent) ?? new Set()).add(ref))
}
