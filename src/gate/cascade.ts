import type { ChangeOp, Facts } from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import { LIMITS } from '../domain/limits.ts'
import type { Policy } from '../domain/policy.ts'
import type { FlagCode, MemoryState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import { recorded, strengthAt } from '../fold/effective.ts'

/** Looks up a memory's family: the desk of a group, or the state an audit has read so far. */
export interface Family {
  readonly policy: Policy
  memory(ref: Ref): MemoryState | undefined
  /** The oldest first, at most one more than a change may flag. */
  childrenOf(ref: Ref): readonly MemoryState[]
}

/** A recorded change: operation, facts and time. */
export interface Changed {
  readonly op: ChangeOp
  readonly facts: Facts
  readonly time: Instant
}

/** An entry about another memory, caused by a change. */
export interface Consequent {
  readonly ref: Ref
  readonly op: ChangeOp
  readonly facts: Facts
}

/**
 * The entries that a change of a memory causes for other memories, in ledger order. The gate flags,
 * clears or slightly strengthens sources; a change never edits their content (CASCADE-FLAGS).
 */
export function consequencesOf(
  memory: MemoryState,
  changed: Changed,
  family: Family,
): readonly Consequent[] {
  if (changed.op === 'memory.verified') return strengthened(memory, changed, family)
  if (changed.op === 'memory.recovered') return cleared(memory, family)
  if (changed.op === 'claim.adjudicated') return overruled(memory, changed)
  const code = fallOf(changed, family)
  return code === null ? [] : flagged(memory, code, family)
}

/** The number of children that a source's fall affects; recorded in the entry of the fall. */
export function childrenFact(memory: MemoryState, changed: Changed, family: Family): Facts {
  if (fallOf(changed, family) === null) return {}
  const { length } = family.childrenOf(memory.ref)
  return length === 0 ? {} : { children: length }
}

/** Forgetting a memory, or weakening a memory below the dormant mark, affects its children. */
function fallOf({ op, facts }: Changed, { policy }: Family): FlagCode | null {
  if (op === 'memory.forgotten') return 'source_forgotten'
  if (op === 'memory.flagged') return facts.code === 'dormant' ? 'source_dormant' : null
  if (op !== 'memory.weakened') return null
  const { from, to } = facts.strength as { readonly from: number; readonly to: number } // of a weakening
  if (to === 0) return 'source_forgotten'
  const mark = policy.numbers.strengthDormantBelow
  return from >= mark && to < mark ? 'source_dormant' : null
}

/** A child never gets a second flag for the same reason from the same source. */
function flagged({ ref: by }: MemoryState, code: FlagCode, family: Family): readonly Consequent[] {
  return family
    .childrenOf(by)
    .slice(0, LIMITS.cascadeFlagsMax)
    .filter(({ erased }) => erased === null)
    .filter(({ flags }) => !flags.some((flag) => flag.code === code && flag.by === by))
    .map(({ ref }) => ({ ref, op: 'memory.flagged', facts: { code, by } }))
}

/** Flags raised by forgetting or dormancy of a source; recovery clears only these flags. */
const GOINGS: ReadonlySet<FlagCode> = new Set(['source_forgotten', 'source_dormant'])

/** A recovered source clears the flags raised by the source's forgetting or dormancy. */
function cleared({ ref: by }: MemoryState, family: Family): readonly Consequent[] {
  return family.childrenOf(by).flatMap(({ ref, flags }): readonly Consequent[] => {
    const of = flags.filter((flag) => flag.by === by && GOINGS.has(flag.code)).map(({ seq }) => seq)
    return of.length === 0 ? [] : [{ ref, op: 'memory.cleared', facts: { of } }]
  })
}

/** A verdict settles a contest of any size: all claims in disagreement are superseded at once. */
const overruled = ({ ref: by }: MemoryState, { facts }: Changed): readonly Consequent[] =>
  (Array.isArray(facts.overrules) ? (facts.overrules as readonly Ref[]) : []).map((ref) => ({
    ref,
    op: 'claim.superseded',
    facts: { by },
  }))

/** Verifying a memory slightly raises the strength of the memory's sources. */
function strengthened(
  memory: MemoryState,
  { time }: Changed,
  family: Family,
): readonly Consequent[] {
  const { policy } = family
  return [...new Set(memory.parents)].flatMap((ref): readonly Consequent[] => {
    const source = family.memory(ref)
    if (!source || source.strength.value === 0) return []
    const from = strengthAt(source, policy, time)
    const to = Math.max(from, recorded(Math.min(1, from + policy.numbers.verifySourceGain)))
    if (to === from) return []
    return [{ ref, op: 'memory.strengthened', facts: { by: memory.ref, strength: { from, to } } }]
  })
}
