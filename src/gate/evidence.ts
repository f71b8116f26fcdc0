import type { Ref } from '../domain/ids.ts'
import { isFirstHand } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import type { MemoryState } from '../domain/state.ts'
import { isLive } from '../fold/fold-memory.ts'

/** Where memories can be looked up: the desk of a group, or what an audit has read so far. */
export interface Known {
  readonly policy: Policy
  memory(ref: Ref): MemoryState | undefined
}

/** Everything that memories descend from, themselves first; each is visited once. */
function lineageOf(refs: readonly Ref[], known: Known): ReadonlySet<Ref> {
  const seen = new Set<Ref>(refs)
  for (const each of seen) for (const parent of known.memory(each)?.parents ?? []) seen.add(parent)
  return seen
}

/** Which of a lineage descend from one of its members; the member among them. */
function descentIn(lineage: ReadonlySet<Ref>, from: Ref, known: Known): ReadonlySet<Ref> {
  if (!lineage.has(from)) return new Set()
  const children = new Map<Ref, Ref[]>()
  for (const ref of lineage) {
    for (const parent of known.memory(ref)?.parents ?? []) {
      const others = children.get(parent)
      if (others) others.push(ref)
      else children.set(parent, [ref])
    }
  }
  const seen = new Set<Ref>([from])
  for (const each of seen) for (const child of children.get(each) ?? []) seen.add(child)
  return seen
}

/**
 * What counted for a belief counted for the one that takes its place: evidence counts once. What a
 * caller without authority named has not been spent, and counts again for a caller who has authority.
 */
function countedFor(memory: MemoryState, { known, spends }: Counting): ReadonlySet<Ref> {
  const line = new Set<MemoryState>([memory])
  for (const { kind, parents } of line) {
    for (const parent of parents.flatMap((ref) => known.memory(ref) ?? [])) {
      if (kind === 'belief' && parent.kind === 'belief') line.add(parent)
    }
  }
  const counted = [...line].flatMap(({ anchors, guard }) =>
    spends ? anchors : [...anchors, ...(guard?.unspent ?? [])],
  )
  return new Set(counted)
}

interface Counting {
  readonly known: Known
  /** Whether the caller has the authority to use evidence up. */
  readonly spends: boolean
}

/**
 * First-hand captures that the evidence comes down to, outside the memory's own ancestry and
 * descent, and not counted for it before. Nothing verifies itself, by whatever detour. All of the
 * evidence is walked at once: what is cited often, or rests on the same ground, costs no more.
 */
export function independentAnchors(
  memory: MemoryState,
  evidence: readonly Ref[],
  counting: Counting & { readonly isOwn: (memory: MemoryState) => boolean },
): readonly Ref[] {
  const { known, isOwn } = counting
  const own = lineageOf([memory.ref], known)
  const descent = descentIn(lineageOf(evidence, known), memory.ref, known)
  const cited = evidence.filter((ref) => {
    const each = known.memory(ref)
    return each && !own.has(ref) && !descent.has(ref) && isLive(each, known.policy)
  })
  // Nor do words that were captured for the one who made the memory speak for it (18.2).
  const isOwnWord = (each: MemoryState) => each.sourceId === memory.sourceId || isOwn(each)
  const counted = countedFor(memory, counting)
  return [...lineageOf(cited, known)]
    .filter((ref) => {
      const each = known.memory(ref)
      return each && isAnchor(each, isOwnWord, known) && !own.has(ref) && !counted.has(ref)
    })
    .sort()
}

/** Captures are not witnesses for the one whose draft they were captured for (18.2). */
const isAnchor = (
  memory: MemoryState,
  isOwn: (memory: MemoryState) => boolean,
  { policy }: Known,
): boolean =>
  memory.kind === 'raw' &&
  isFirstHand(memory.label) &&
  isLive(memory, policy) &&
  !(memory.captured && isOwn(memory))

/**
 * A verdict rests on what was seen or said, outside the contest itself: the words captured for a
 * claim are that claim again. A person's own word is enough.
 */
export function isWitnessed(
  { line }: MemoryState,
  evidence: readonly Ref[],
  { known, isPerson }: { readonly known: Known; readonly isPerson: boolean },
): boolean {
  if (evidence.length === 0) return isPerson
  return evidence.every((ref) => {
    const found = known.memory(ref)
    if (!found || !isFirstHand(found.label) || !isLive(found, known.policy)) return false
    return !found.captured && (found.line === null || found.line !== line)
  })
}
