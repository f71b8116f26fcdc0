import type { Ref } from '../../domain/ids.ts'
import { isFirstHand } from '../../domain/labels.ts'
import type { DumpItem } from './dump.ts'

/** A memory with what was captured for it, which is written in one draft as it was then. */
export interface Group {
  readonly main: DumpItem
  /** Each cites the one before it. */
  readonly captures: readonly DumpItem[]
  /** What it cites beside its own captures. */
  readonly parents: readonly Ref[]
  /** The belief of the same dump whose place it takes. */
  readonly supersedes: Ref | null
}

export interface Ordered {
  readonly groups: readonly Group[]
  /** Captured for something that is not there: alone they would pass for witnesses. */
  readonly orphans: readonly DumpItem[]
}

/** In the order in which they were written at their origin, parents before what cites them. */
export function inOrder(items: readonly DumpItem[]): Ordered {
  const sorted = items.toSorted(byAge)
  const byRef = new Map(sorted.map((item) => [item.ref, item]))
  const claimed = new Set<DumpItem>()
  const superseded = successions(sorted, byRef)
  const groups = sorted
    .filter(({ captured }) => !captured)
    .map((main): Group => {
      const captures = capturesOf(main, byRef)
      const supersedes = superseded.get(main.ref) ?? null
      const isWhole = captures[0]?.parents.length === 0
      if (!isWhole || captures.some((item) => claimed.has(item))) {
        return { main, captures: [], parents: main.parents, supersedes }
      }
      for (const item of captures) claimed.add(item)
      return { main, captures, parents: main.parents.slice(0, -1), supersedes }
    })
  const orphans = sorted.filter((item) => item.captured && !claimed.has(item))
  return { groups: parentsFirst(groups), orphans }
}

/**
 * Which belief takes which one's place, said by either of the two. Each place is taken once, by the
 * first, and not by a model's word from somebody who was there: that one keeps standing beside it.
 */
function successions(
  sorted: readonly DumpItem[],
  byRef: ReadonlyMap<Ref, DumpItem>,
): ReadonlyMap<Ref, Ref> {
  const taken = new Set<Ref>()
  const found = new Map<Ref, Ref>()
  const named = sorted.flatMap(({ ref, supersedes, supersededBy }) => [
    ...(supersedes === null ? [] : [[ref, supersedes] as const]),
    ...(supersededBy === null ? [] : [[supersededBy, ref] as const]),
  ])
  for (const [ref, old] of named) {
    const [next, before] = [byRef.get(ref), byRef.get(old)]
    if (!next || !before || next === before || found.has(ref) || taken.has(old)) continue
    if (isFirstHand(before.label) && !isFirstHand(next.label)) continue
    found.set(ref, old)
    taken.add(old)
  }
  return found
}

const byAge = (a: DumpItem, b: DumpItem): number =>
  (a.at < b.at ? -1 : a.at > b.at ? 1 : 0) || a.seq - b.seq || a.index - b.index

const CAPTURED: ReadonlySet<string> = new Set(['raw', 'note', 'episode'])

/** The chain at the end of what a memory cites, of its own moment, actor and label. */
function capturesOf(main: DumpItem, byRef: ReadonlyMap<Ref, DumpItem>): readonly DumpItem[] {
  const chain = new Set<DumpItem>()
  for (let ref = main.parents.at(-1); ref !== undefined; ) {
    const item = byRef.get(ref)
    if (!item?.captured || chain.has(item) || !isOfOneDraft(item, main)) break
    chain.add(item)
    ref = item.parents[0]
  }
  return [...chain].toReversed()
}

const isOfOneDraft = (capture: DumpItem, main: DumpItem): boolean =>
  CAPTURED.has(capture.kind) &&
  capture.parents.length <= 1 &&
  capture.at === main.at &&
  capture.label === main.label &&
  capture.provenance.sourceId === main.provenance.sourceId

/** Keeps the order it is given, but for parents that come late; a loop is left for the gate to refuse. */
function parentsFirst(groups: readonly Group[]): readonly Group[] {
  const byRef = new Map<Ref, Group>()
  for (const group of groups) {
    for (const { ref } of [group.main, ...group.captures]) byRef.set(ref, group)
  }
  const placed = new Set<Group>()
  const met = new Set<Group>()
  for (const group of groups) {
    const path = [group]
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      met.add(top)
      const before = top.supersedes === null ? [] : [top.supersedes]
      const cited = [...top.parents, ...top.main.evidence, ...before].flatMap(
        (ref) => byRef.get(ref) ?? [],
      )
      const next = cited.find((other) => !met.has(other))
      if (next) path.push(next)
      else {
        placed.add(top)
        path.pop()
      }
    }
  }
  return [...placed]
}
