import { isLive } from '../belief/fold-memory.ts'
import type { Ref } from '../domain/ids.ts'
import { isFirstHand } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import type { MemoryState } from '../domain/state.ts'

/** Where memories can be looked up: the desk of a group, or what an audit has read so far. */
export interface Known {
  readonly policy: Policy
  memory(ref: Ref): MemoryState | undefined
}

/** Everything a memory descends from, itself first. */
function lineageOf(ref: Ref, known: Known): readonly MemoryState[] {
  const seen = new Set<Ref>([ref])
  for (const each of seen) for (const parent of known.memory(each)?.parents ?? []) seen.add(parent)
  return [...seen].flatMap((each) => known.memory(each) ?? [])
}

/**
 * First-hand captures that the evidence comes down to, outside the memory's own ancestry and
 * descent, and not counted for it before. Nothing verifies itself, by whatever detour.
 */
export function independentAnchors(
  memory: MemoryState,
  evidence: readonly Ref[],
  { known, isOwn }: { readonly known: Known; readonly isOwn: (memory: MemoryState) => boolean },
): readonly Ref[] {
  const own = new Set(lineageOf(memory.ref, known).map(({ ref }) => ref))
  const counted = new Set(memory.anchors)
  const anchors = new Set<Ref>()
  for (const ref of evidence) {
    if (own.has(ref)) continue
    const lineage = lineageOf(ref, known)
    const [cited] = lineage
    const isDescendant = lineage.some((each) => each.ref === memory.ref)
    if (isDescendant || !cited || !isLive(cited, known.policy)) continue
    for (const each of lineage) {
      if (isAnchor(each, isOwn, known) && !own.has(each.ref) && !counted.has(each.ref)) {
        anchors.add(each.ref)
      }
    }
  }
  return [...anchors].sort()
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
