import type { ChangeOp, Facts } from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import { LIMITS } from '../domain/limits.ts'
import type { Policy } from '../domain/policy.ts'
import type { FlagCode, MemoryState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import { recorded, strengthAt } from '../fold/effective.ts'

/** Where a memory's family is looked up: the desk of a group, or what an audit has read so far. */
export interface Family {
  readonly policy: Policy
  memory(ref: Ref): MemoryState | undefined
  /** The oldest first, and no more than one beyond what a change may flag. */
  childrenOf(ref: Ref): readonly MemoryState[]
}

/** A change that was told of a memory: its operation, its facts and its time. */
export interface Changed {
  readonly op: ChangeOp
  readonly facts: Facts
  readonly time: Instant
}

/** What is told of another memory because of it. */
export interface Consequent {
  readonly ref: Ref
  readonly op: ChangeOp
  readonly facts: Facts
}

/**
 * What a change of a memory means for others, in the order in which it is told. Sources are flagged,
 * cleared or come to mind a little more readily; nothing that they say is edited (CASCADE-FLAGS).
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

/** How many were made from a memory whose fall they feel; said in the entry that flags them. */
export function childrenFact(memory: MemoryState, changed: Changed, family: Family): Facts {
  if (fallOf(changed, family) === null) return {}
  const { length } = family.childrenOf(memory.ref)
  return length === 0 ? {} : { children: length }
}

/** Forgetting, and falling below the dormant mark, are felt by what was made from a memory. */
function fallOf({ op, facts }: Changed, { policy }: Family): FlagCode | null {
  if (op === 'memory.forgotten') return 'source_forgotten'
  if (op === 'memory.flagged') return facts.code === 'dormant' ? 'source_dormant' : null
  if (op !== 'memory.weakened') return null
  const { from, to } = facts.strength as { readonly from: number; readonly to: number } // of a weakening
  if (to === 0) return 'source_forgotten'
  const mark = policy.numbers.strengthDormantBelow
  return from >= mark && to < mark ? 'source_dormant' : null
}

/** One flag for one reason: what is flagged for it already is not flagged again. */
function flagged({ ref: by }: MemoryState, code: FlagCode, family: Family): readonly Consequent[] {
  return family
    .childrenOf(by)
    .slice(0, LIMITS.cascadeFlagsMax)
    .filter(({ erased }) => erased === null)
    .filter(({ flags }) => !flags.some((flag) => flag.code === code && flag.by === by))
    .map(({ ref }) => ({ ref, op: 'memory.flagged', facts: { code, by } }))
}

/** What a source's going puts up, and nothing else that is said because of it. */
const GOINGS: ReadonlySet<FlagCode> = new Set(['source_forgotten', 'source_dormant'])

/** A source that is back takes down the flags that its going put up. */
function cleared({ ref: by }: MemoryState, family: Family): readonly Consequent[] {
  return family.childrenOf(by).flatMap(({ ref, flags }): readonly Consequent[] => {
    const of = flags.filter((flag) => flag.by === by && GOINGS.has(flag.code)).map(({ seq }) => seq)
    return of.length === 0 ? [] : [{ ref, op: 'memory.cleared', facts: { of } }]
  })
}

/** One verdict settles a contest of any number: whatever disagrees gives way at once. */
const overruled = ({ ref: by }: MemoryState, { facts }: Changed): readonly Consequent[] =>
  (Array.isArray(facts.overrules) ? (facts.overrules as readonly Ref[]) : []).map((ref) => ({
    ref,
    op: 'claim.superseded',
    facts: { by },
  }))

/** A verified memory's sources come to mind a little more readily. */
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
