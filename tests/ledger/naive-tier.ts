// Section 4 of docs/ledger-format.md: what lifts a tier, and how far.

import { isList, isObject } from './naive-canonical.ts'
import type { Entry } from './naive-entry.ts'
import type { Known } from './naive-evidence.ts'
import { asRecorded, isExternal, type Memory } from './naive-memory.ts'

type Change = { entry: Entry; memory: Memory }

/** By today's tiers, or by those that were recorded, which an earlier version went by. */
export function verifiedRiseIs({ entry, memory }: Change, known: Known): string | false {
  const problem = riseIs({ entry, memory }, liftOf({ entry, memory }, known))
  if (problem === false) return false
  const memories = new Map([...known.memories].map(([ref, each]) => [ref, asRecorded(each)]))
  const then = { entry, memory: asRecorded(memory) }
  return riseIs(then, liftOf(then, { ...known, memories })) && problem
}

/** The fact is there where the tier rises, and says from where to where. */
export function riseIs({ entry, memory }: Change, to: number): string | false {
  const { tier } = entry.decision.facts
  if (to <= memory.tier) return tier !== undefined && 'lifts a tier that does not rise'
  const isSaid = isObject(tier) && tier.from === memory.tier && tier.to === to
  return !isSaid && 'lifts a tier otherwise than it may'
}

/** The lower tier of the best two anchors of different actors and doors. */
function liftOf({ entry }: Change, { memories, policy }: Known): number {
  const most = Number(policy.numbers.tierByAnchorsMax ?? -1)
  const { anchors } = entry.decision.facts
  if (!isExternal(entry.label) || !isList(anchors)) return 0
  if (entry.decision.facts.spends === false) return 0
  const found = anchors.flatMap((ref) => memories.get(String(ref)) ?? [])
  // Whoever stood behind an erased one is not known any more: what is told is taken.
  const { tier } = entry.decision.facts
  if (found.some(({ sourceId }) => sourceId === '')) return isObject(tier) ? Number(tier.to) : 0
  const lifts = found.flatMap((one) =>
    found
      .filter((other) => other.sourceId !== one.sourceId && other.door !== one.door)
      .map((other) => Math.min(one.tier, other.tier)),
  )
  return Math.max(0, ...lifts.filter((tier) => tier <= most))
}
