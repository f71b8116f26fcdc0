import { recorded, strengthAt } from '../belief/effective.ts'
import type { Ref } from '../domain/ids.ts'
import { LIMITS } from '../domain/limits.ts'
import type { FlagCode, MemoryState } from '../domain/state.ts'
import { type Telling, tell } from './change.ts'

/** Flags what was made from a memory, and edits none of it (CASCADE-FLAGS). */
export function flagChildren(
  telling: Telling,
  source: MemoryState,
  code: FlagCode,
): readonly Ref[] {
  const children = telling.desk.childrenOf(source.ref).slice(0, LIMITS.cascadeFlagsMax)
  for (const { ref } of children) {
    const facts = { code, by: source.ref }
    tell(telling, { ref, op: 'memory.flagged', facts, rule: null })
  }
  return children.map(({ ref }) => ref)
}

/** A source that is back takes down the flags that its going put up. */
export function clearChildren(telling: Telling, source: MemoryState): void {
  for (const child of telling.desk.childrenOf(source.ref)) {
    const of = child.flags.filter(({ by }) => by === source.ref).map(({ seq }) => seq)
    if (of.length === 0) continue
    tell(telling, { ref: child.ref, op: 'memory.cleared', facts: { of }, rule: null })
  }
}

/** A verified memory's sources come to mind a little more readily. */
export function strengthenSources(telling: Telling, memory: MemoryState): void {
  const { desk, time } = telling
  for (const parent of new Set(memory.parents)) {
    const source = desk.memory(parent)
    if (!source || source.strength.value === 0) continue
    const from = strengthAt(source, desk.policy, time)
    const to = recorded(Math.min(1, from + desk.policy.numbers.verifySourceGain))
    if (to === from) continue
    const facts = { by: memory.ref, strength: { from, to } }
    tell(telling, { ref: parent, op: 'memory.strengthened', facts, rule: null })
  }
}
