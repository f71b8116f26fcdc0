// Section 4 of docs/ledger-format.md: what follows from a change, entry by entry.

import { isList, isObject, type JsonObject, same } from './naive-canonical.ts'
import { dueAfterDoubt } from './naive-distrust.ts'
import type { Entry } from './naive-entry.ts'
import { type Memory, type Policy, r, strengthNow } from './naive-memory.ts'

export type Due = { op: string; ref: string; facts: JsonObject; lead: Entry }

const CHILDREN_MAX = 10_000

export function childrenOf(ref: string, memories: ReadonlyMap<string, Memory>): Memory[] {
  return [...memories.values()]
    .filter(({ parents }) => parents.includes(ref))
    .sort((a, b) => a.born - b.born)
    .slice(0, CHILDREN_MAX + 1)
}

/** The code that children are flagged with because of a change, if they are. */
export function codeOfFall({ op, decision: { facts } }: Entry, { numbers }: Policy): string | null {
  if (op === 'memory.forgotten') return 'source_forgotten'
  if (op === 'memory.flagged') return facts.code === 'dormant' ? 'source_dormant' : null
  if (op !== 'memory.weakened' || !isObject(facts.strength)) return null
  const { from, to } = facts.strength
  if (to === 0) return 'source_forgotten'
  const mark = numbers.strengthDormantBelow as number
  return Number(from) >= mark && Number(to) < mark ? 'source_dormant' : null
}

type Family = {
  memories: ReadonlyMap<string, Memory>
  policy: Policy
  actorKeys?: readonly { actor: string; key: string }[]
}

export function dueAfter(
  lead: Entry,
  memory: Memory,
  { memories, policy, actorKeys = [] }: Family,
): Due[] {
  if (lead.op === 'memory.distrusted' || lead.op === 'memory.trusted') {
    return dueAfterDoubt(lead, { memories, keys: actorKeys })
  }
  const children = childrenOf(memory.ref, memories)
  const code = codeOfFall(lead, policy)
  if (code !== null) {
    return children
      .slice(0, CHILDREN_MAX)
      .filter(({ isErased }) => !isErased)
      .filter(({ flags }) => !flags.some((flag) => flag.code === code && flag.by === memory.ref))
      .map(({ ref }) => ({ op: 'memory.flagged', ref, facts: { code, by: memory.ref }, lead }))
  }
  if (lead.op === 'memory.recovered') {
    return children
      .map(({ ref, flags }) => ({ ref, of: flags.filter(isHis(memory.ref)) }))
      .filter(({ of }) => of.length > 0)
      .map(({ ref, of }) => {
        return { op: 'memory.cleared', ref, facts: { of: of.map(({ seq }) => seq) }, lead }
      })
  }
  if (lead.op === 'memory.verified') return strengthened(lead, memory, { memories, policy })
  if (lead.op === 'claim.adjudicated') {
    const told = lead.decision.facts.overrules
    const overrules = isList(told) ? told : [] // said of it elsewhere
    const facts = { by: memory.ref }
    return overrules.map((ref) => ({ op: 'claim.superseded', ref: String(ref), facts, lead }))
  }
  if (lead.op === 'belief.revised') {
    const ref = String(lead.decision.facts.of)
    return [{ op: 'belief.deactivated', ref, facts: { by: memory.ref }, lead }]
  }
  return []
}

const isHis = (ref: string) => (flag: { code: string; by: string | null }) =>
  flag.by === ref && ['source_forgotten', 'source_dormant'].includes(flag.code)

function strengthened(
  lead: Entry,
  { ref: by, parents }: Memory,
  { memories, policy }: { memories: ReadonlyMap<string, Memory>; policy: Policy },
): Due[] {
  const due: Due[] = []
  for (const ref of new Set(parents)) {
    const source = memories.get(ref)
    if (source === undefined || source.strength.value === 0) continue
    const from = strengthNow(source, policy, lead.time)
    const gain = policy.numbers.verifySourceGain as number
    const to = Math.max(from, r(Math.min(1, from + gain)))
    if (to === from) continue
    due.push({ op: 'memory.strengthened', ref, facts: { by, strength: { from, to } }, lead })
  }
  return due
}

/** Of the same unit, time, actor, door and label, and exactly what was due. */
export const isWhatWasDue = ({ op, ref, facts, lead }: Due, entry: Entry): boolean =>
  entry.op === op &&
  entry.ref === ref &&
  entry.decision.rule === null &&
  same(entry.decision.facts, facts) &&
  entry.unit === lead.unit &&
  entry.time === lead.time &&
  entry.actor === lead.actor &&
  entry.door === lead.door &&
  (lead.ref === null ? entry.label?.type === 'External' : same(entry.label, lead.label))
