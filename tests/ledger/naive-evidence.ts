// Section 4 of docs/ledger-format.md: which first-hand captures a verification counts.

import { isList, type Json } from './naive-canonical.ts'
import type { Entry } from './naive-entry.ts'
import { pseudonymOf } from './naive-hash.ts'
import { isLive, type Memory, type Policy } from './naive-memory.ts'
import type { ActorKey } from './naive-sealed.ts'
import { authorityOver } from './naive-wishes.ts'

export type Known = {
  memories: ReadonlyMap<string, Memory>
  policy: Policy
  actorKeys: readonly ActorKey[]
}

function ancestorsOf(ref: string, { memories }: Known): Set<string> {
  const found = new Set<string>()
  const walk = (each: string): void => {
    for (const parent of memories.get(each)?.parents ?? []) {
      if (found.has(parent)) continue
      found.add(parent)
      walk(parent)
    }
  }
  walk(ref)
  return found
}

/** Null where the anchors are right, otherwise what is wrong with them. */
export function problemOfAnchors(memory: Memory, entry: Entry, known: Known): string | null {
  const evidence = entry.decision.facts.evidence as Json
  const anchors = entry.decision.facts.anchors ?? []
  if (!isList(evidence) || !isList(anchors)) return 'has evidence or anchors that are no list'
  if (!evidence.every((ref) => known.memories.has(String(ref)))) {
    return 'has evidence that does not exist'
  }
  const told = anchors.map(String)
  const mayCount = new Set<string>()
  const mustCount = new Set<string>()
  const isUsedUp = entry.decision.facts.spends !== false && mayUseUp(memory, entry, known) !== false
  const looked = isUsedUp ? memory : withUnspent(memory)
  for (const each of rawsUnder(looked, evidence.map(String), known)) {
    if (each.isCaptured && each.sourceId === memory.sourceId) continue
    const isOwn = each.isCaptured ? speaks(each.sourceId, entry, known) : false
    if (isOwn !== true) mayCount.add(each.ref)
    if (isOwn === false) mustCount.add(each.ref)
  }
  if ([...new Set(told)].sort().join() !== told.join()) return 'has anchors twice or out of order'
  if (told.some((ref) => !mayCount.has(ref))) return 'counts what is no independent anchor'
  if ([...mustCount].some((ref) => !told.includes(ref))) return 'leaves out an anchor'
  return null
}

/** For somebody without authority, what such a one named before has counted too. */
const withUnspent = (memory: Memory): Memory => ({
  ...memory,
  anchors: [...memory.anchors, ...(memory.unspent ?? [])],
})

/** Whether its caller may use evidence up; undefined where no key can tell. */
function mayUseUp(memory: Memory, entry: Entry, known: Known): boolean | undefined {
  if (known.policy.numbers.proposalsPerActorMax === undefined) return true
  return authorityOver(memory, entry, known)
}

/** A belief in the place of others: what counted for them has counted. */
function countedFor({ kind, anchors, parents }: Memory, known: Known): string[] {
  if (kind !== 'belief') return anchors
  const revised = parents.flatMap((ref) => known.memories.get(ref) ?? [])
  const beliefs = revised.filter((each) => each.kind === 'belief')
  return [...anchors, ...beliefs.flatMap((each) => countedFor(each, known))]
}

/** First-hand raws that the evidence comes down to and that were not counted yet. */
function rawsUnder(memory: Memory, evidence: readonly string[], known: Known): Memory[] {
  const own = ancestorsOf(memory.ref, known).add(memory.ref)
  const raws: Memory[] = []
  for (const ref of evidence) {
    const cited = known.memories.get(ref)
    const above = ancestorsOf(ref, known)
    if (cited === undefined || !isLive(cited, known.policy)) continue
    if (own.has(ref) || above.has(memory.ref)) continue
    for (const each of [ref, ...above]) {
      const raw = known.memories.get(each)
      if (raw?.kind !== 'raw' || !raw.isFirstHand || !isLive(raw, known.policy)) continue
      if (!own.has(each) && !countedFor(memory, known).includes(each)) raws.push(raw)
    }
  }
  return raws
}

/** Whether the entry is this actor's; undefined where no key can tell any more. */
export function speaks(actor: string, entry: Entry, { actorKeys }: Known): boolean | undefined {
  const kept = actorKeys.find((row) => row.actor === actor)
  if (kept === undefined || entry.seq < kept.since) return undefined
  return pseudonymOf(kept.key, actor) === entry.actor
}
