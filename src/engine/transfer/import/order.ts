import { lowerTier } from '../../../domain/doors.ts'
import { type Ref, type StackId, splitRef } from '../../../domain/ids.ts'
import { definitionOf } from '../../../domain/kinds/table.ts'
import { isFirstHand, type LabelName } from '../../../domain/labels.ts'
import { type CaptureRequest, reasonCaptures } from '../../write/write-request.ts'
import type { DumpItem } from './dump.ts'

/** A memory with its captures, written as one draft. */
export interface Group {
  readonly main: DumpItem
  /** Each cites the capture before. */
  readonly captures: readonly DumpItem[]
  /** Parents of the memory other than its captures. */
  readonly parents: readonly Ref[]
  /** The replaced belief in the same dump. */
  readonly supersedes: Ref | null
}

interface Ordered {
  readonly groups: readonly Group[]
  /** Captures of a memory that does not come in with them: alone they would count as witnesses. */
  readonly orphans: readonly DumpItem[]
}

/**
 * Sorts groups by the time of their writes, parents first. A capture that no memory of the file
 * cites comes in on its own, because an export leaves out what was forgotten.
 */
export function inOrder(items: readonly DumpItem[], cited: ReadonlySet<unknown>): Ordered {
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
      const own = captures.at(-1)
      const parents = main.parents.filter((ref) => ref !== own?.ref)
      return { main: own ? withOriginOf(main, own) : main, captures, parents, supersedes }
    })
  const orphans: DumpItem[] = []
  const barred = new Set(cited)
  for (const item of sorted.filter((each) => each.captured && !claimed.has(each)).toReversed()) {
    if (barred.has(item.ref)) {
      orphans.push(item)
      for (const parent of item.parents) barred.add(parent) // the capture before, of the same draft
    } else groups.push({ main: item, captures: [], parents: item.parents, supersedes: null })
  }
  return { groups: parentsFirst(groups), orphans }
}

/**
 * Pairs of replaced and replacing beliefs, named by either. The first replacement of a belief wins,
 * and a model's belief never replaces a first-hand one: both stand.
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

/** From the weakest label to the strongest. */
const STANDING: readonly LabelName[] = [
  'RecallReEntry',
  'ModelDerived',
  'ExternalFirstHand',
  'UserAsserted',
]

const SPEAKER = ['label', 'sourceId', 'sourceEntity', 'session', 'turn', 'relayed', 'llmModel']

/**
 * A memory and its captures become one draft with one origin. After a revision by another actor the
 * weaker of both labels applies, and neither part exceeds its original tier.
 */
function withOriginOf(main: DumpItem, capture: DumpItem): DumpItem {
  if (isOfOneOrigin(capture, main)) return main
  const tier = lowerTier(main.tier, capture.tier)
  if (STANDING.indexOf(main.label) <= STANDING.indexOf(capture.label)) return { ...main, tier }
  const speaker = SPEAKER.map((name) => [name, capture.provenance[name]])
  const provenance = { ...main.provenance, ...Object.fromEntries(speaker) }
  return { ...main, label: capture.label, tier, provenance }
}

const byAge = (a: DumpItem, b: DumpItem): number =>
  (a.at < b.at ? -1 : a.at > b.at ? 1 : 0) || a.seq - b.seq || a.index - b.index

const CAPTURED: ReadonlySet<string> = new Set(['raw', 'note', 'episode'])

/** The chain of captures among the sources: last at birth, before sources of revisions. */
function capturesOf(main: DumpItem, byRef: ReadonlyMap<Ref, DumpItem>): readonly DumpItem[] {
  const chain = new Set<DumpItem>()
  const isCapture = (ref: Ref): boolean => {
    const item = byRef.get(ref)
    return item !== undefined && isOfOneDraft(item, main)
  }
  for (let ref = main.parents.findLast(isCapture); ref !== undefined; ) {
    const item = byRef.get(ref)
    if (!item || chain.has(item) || !isOfOneDraft(item, main)) break
    chain.add(item)
    ref = item.parents[0]
  }
  return [...chain].toReversed()
}

const isOfOneDraft = (capture: DumpItem, main: DumpItem): boolean =>
  capture.captured &&
  CAPTURED.has(capture.kind) &&
  capture.parents.length <= 1 &&
  (capture.at === main.bornAt || capture.at === main.at) &&
  (main.bornAt !== main.at || isOfOneOrigin(capture, main))

const isOfOneOrigin = (capture: DumpItem, main: DumpItem): boolean =>
  capture.label === main.label && capture.provenance.sourceId === main.provenance.sourceId

/** Moves late parents forward and keeps the order otherwise; the gate refuses a cycle. */
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

interface KnownSources {
  /** Every memory that the file names, refused memories included. */
  readonly inFile: ReadonlySet<Ref>
  readonly isHere: (ref: Ref) => Promise<boolean>
}

/**
 * Sources that neither the file nor this stack holds: an export leaves out forgotten memories. A
 * refused source in the file is not missing, and its children are refused too.
 */
export async function missingSources(
  items: readonly DumpItem[],
  { inFile, isHere }: KnownSources,
): Promise<ReadonlySet<Ref>> {
  const cited = new Set(items.flatMap(({ parents, evidence }) => [...parents, ...evidence]))
  const missing = new Set<Ref>()
  for (const ref of cited) if (!inFile.has(ref) && !(await isHere(ref))) missing.add(ref)
  return missing
}

/** The memory without its missing sources, which are listed instead. */
export function withoutMissing(item: DumpItem, missing: ReadonlySet<Ref>): DumpItem {
  if (missing.size === 0) return item
  const isLeft = (ref: Ref): boolean => !missing.has(ref)
  return {
    ...item,
    parents: item.parents.filter(isLeft),
    evidence: item.evidence.filter(isLeft),
    missing: item.parents.filter((ref) => !isLeft(ref)),
  }
}

const NAMED_MAX = 5 // refs in one sentence

/** Captures in place of missing sources, with a description; none beside an allowed source. */
export function standInCaptures(
  { main, captures, parents }: Group,
  stackId: StackId,
): readonly CaptureRequest[] {
  const [first] = captures
  const missing = first ? first.missing : main.missing
  if (missing.length === 0) return []
  const reason = reasonFor(missing, stackId)
  if (first) return first.kind === 'raw' ? [] : reasonCaptures('note', reason)
  const { from } = definitionOf(main.kind).sources
  const hasSource = parents.some((ref) => from.some((kind) => kind === splitRef(ref).kind))
  return hasSource ? [] : reasonCaptures(main.kind, reason)
}

function reasonFor(missing: readonly Ref[], stackId: StackId): string {
  const named = missing.slice(0, NAMED_MAX).join(', ')
  const more = missing.length > NAMED_MAX ? ` and ${missing.length - NAMED_MAX} more` : ''
  return `A source from the stack “${stackId}” is not in the imported file: ${named}${more}.`
}
