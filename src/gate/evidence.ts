import { type Doubted, keyNameOf } from '../domain/distrust.ts'
import type { Ref } from '../domain/ids.ts'
import { isFirstHand } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import type { MemoryState } from '../domain/state.ts'
import { isLive } from '../fold/fold-memory.ts'
import type { Desk } from './desk.ts'

/** Looks up memories: the desk of a group, or the state an audit has read so far. */
interface MemoryLookup {
  readonly policy: Policy
  memory(ref: Ref): MemoryState | undefined
}

/** The memories and all their ancestors; each is visited once. */
export function lineageOf(refs: readonly Ref[], known: MemoryLookup): ReadonlySet<Ref> {
  const seen = new Set<Ref>(refs)
  for (const each of seen) for (const parent of known.memory(each)?.parents ?? []) seen.add(parent)
  return seen
}

/** Members of a lineage that descend from `from`, and `from` itself. */
function descentIn(lineage: ReadonlySet<Ref>, from: Ref, known: MemoryLookup): ReadonlySet<Ref> {
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
 * Evidence counted for a belief also counts as used for the belief's successor: evidence counts
 * once. Evidence named by a caller without authority is not used up, and counts again for a caller
 * with authority.
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
  readonly known: MemoryLookup
  /** True for a caller with the authority to use evidence up. */
  readonly spends: boolean
}

/**
 * First-hand captures at the roots of the evidence, outside the memory's own ancestry and descent,
 * and not counted for the memory before. Nothing verifies itself, by whatever detour. One walk
 * covers all evidence, so shared ancestors cost no more.
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
  // Words captured for the memory's own author are no independent evidence either (18.2).
  const isOwnWord = (each: MemoryState) => each.sourceId === memory.sourceId || isOwn(each)
  const counted = countedFor(memory, counting)
  return [...lineageOf(cited, known)]
    .filter((ref) => {
      const each = known.memory(ref)
      return each && isAnchor(each, isOwnWord, known) && !own.has(ref) && !counted.has(ref)
    })
    .sort()
}

/** A capture is no witness for the author whose draft the capture was made for (18.2). */
const isAnchor = (
  memory: MemoryState,
  isOwn: (memory: MemoryState) => boolean,
  { policy }: MemoryLookup,
): boolean =>
  memory.kind === 'raw' &&
  isFirstHand(memory.label) &&
  isLive(memory, policy) &&
  !(memory.captured && isOwn(memory))

/**
 * A verdict rests on first-hand evidence outside the contest: words captured for a claim only
 * repeat the claim. A person's own word is enough.
 */
export function isWitnessed(
  { line }: MemoryState,
  evidence: readonly Ref[],
  { known, isPerson }: { readonly known: MemoryLookup; readonly isPerson: boolean },
): boolean {
  if (evidence.length === 0) return isPerson
  return evidence.every((ref) => {
    const found = known.memory(ref)
    if (!found || !isFirstHand(found.label) || !isLive(found, known.policy)) return false
    return !found.captured && (found.line === null || found.line !== line)
  })
}

export type Origin = Exclude<Doubted, { type: 'memory' }>

/** The name of an origin in entries; undefined where no entry has named the origin yet. */
export function originMark(desk: Desk, { type, name }: Origin): string | undefined {
  if (type === 'door') return name
  const key = keyNameOf(type, name)
  return desk.actorKey(key) === undefined ? undefined : desk.pseudonym(key)
}

type From = Readonly<Record<Origin['type'], string | null>>

/** The distrust entries in force that cover the origin of a draft. */
export const distrustsOf = (desk: Desk, from: From): readonly number[] =>
  desk.stack.distrusted
    .filter(({ origin, of }) => {
      const name = from[origin]
      return name !== null && originMark(desk, { type: origin, name }) === of
    })
    .map(({ seq }) => seq)
