import type { DistrustMark, DistrustWhy } from '../domain/distrust.ts'
import type { Entry, Facts } from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import { isInferential, type LabelName } from '../domain/labels.ts'
import type { MemoryState } from '../domain/state.ts'
import { admitted } from './fold-change.ts'

// The gate writes the facts read here, and the audit checks them before they are folded.

/** A memory with one more reason for distrust. */
export function doubted(before: MemoryState, { why, of }: Facts): MemoryState {
  const { was, origins, own } = before.distrust ?? {
    was: before.disposition,
    origins: [],
    own: false,
  }
  const distrust = {
    was,
    origins: why === 'origin' ? [...origins, Number(of)] : origins,
    own: own || why === 'own',
  }
  return { ...before, disposition: 'Distrusted', distrust }
}

/** A memory with one reason less; believed as before where the entry says so. */
export function trustedAgain(before: MemoryState, { why, of, back }: Facts): MemoryState {
  const { distrust } = before
  if (distrust === null) return before
  if (back === true) return { ...before, disposition: distrust.was, distrust: null }
  const origins = distrust.origins.filter((seq) => why !== 'origin' || seq !== of)
  return { ...before, distrust: { ...distrust, origins, own: distrust.own && why !== 'own' } }
}

/** A memory from a distrusted origin is distrusted from its first moment. */
export function markedAtBirth({ decision }: Entry, label: LabelName): DistrustMark | null {
  const { disposition, facts } = decision
  if (disposition !== 'Distrusted') return null
  const origins = Array.isArray(facts.distrusted) ? (facts.distrusted as readonly number[]) : []
  return { was: admitted(label), origins, own: false }
}

/** A memory that becomes distrusted or believed again, with the reason. */
export interface Turned {
  readonly memory: MemoryState
  readonly why: DistrustWhy
  /** True where the memory is believed again; false where another reason remains. */
  readonly back: boolean
}

export interface Turning {
  /** In the order of the entries. */
  readonly turned: readonly Turned[]
  /** Memories that lost a source and stay believed: one flag for each lost source. */
  readonly flagged: readonly { readonly ref: Ref; readonly by: Ref }[]
  /** Memories that have a source back: the flags to clear, by their entries. */
  readonly cleared: readonly { readonly ref: Ref; readonly of: readonly number[] }[]
}

/** Memories with all their descendants, and every source of the descendants. */
class Kin {
  readonly #byRef: ReadonlyMap<Ref, MemoryState>
  readonly #children = new Map<Ref, MemoryState[]>()

  constructor(family: readonly MemoryState[]) {
    const inOrder = [...family].sort((a, b) => a.seq - b.seq)
    this.#byRef = new Map(inOrder.map((memory) => [memory.ref, memory]))
    for (const memory of inOrder) {
      if (memory.erased !== null) continue
      for (const parent of new Set(memory.parents)) {
        const known = this.#children.get(parent)
        if (known) known.push(memory)
        else this.#children.set(parent, [memory])
      }
    }
  }

  /** Oldest first, without erased memories. */
  childrenOf(ref: Ref): readonly MemoryState[] {
    return this.#children.get(ref) ?? []
  }

  /** True where no believed source is left and at least one source is distrusted. */
  restsOnNothing(memory: MemoryState, isFallen: (parent: MemoryState) => boolean): boolean {
    const { label, sourceType, parents } = memory
    if (!isInferential(label, sourceType)) return false
    let hasFallen = false
    for (const ref of parents) {
      const parent = this.#byRef.get(ref)
      if (!parent) continue
      if (parent.erased === null && !isFallen(parent)) return false
      hasFallen ||= parent.erased === null || parent.erased.distrusted === true
    }
    return hasFallen
  }
}

const SOURCE_DISTRUSTED = 'source_distrusted'

const isFlaggedFor = ({ flags }: MemoryState, by: Ref): boolean =>
  flags.some((flag) => flag.code === SOURCE_DISTRUSTED && flag.by === by)

const bySeq = (a: MemoryState, b: MemoryState): number => a.seq - b.seq

/**
 * Memories that become distrusted together with the given ones: conclusions without another source.
 * `family` holds all descendants and every source of the descendants. Linear in the family.
 */
export function fallOf(
  family: readonly MemoryState[],
  {
    isDoubted,
    why,
  }: { readonly isDoubted: (memory: MemoryState) => boolean; why: 'origin' | 'own' },
): Turning {
  const kin = new Kin(family)
  const direct = family.filter((memory) => memory.erased === null && isDoubted(memory)).sort(bySeq)
  const fallen = new Set(family.filter(({ distrust }) => distrust !== null).map(({ ref }) => ref))
  const falling = direct.filter(({ ref }) => !fallen.has(ref))
  for (const { ref } of falling) fallen.add(ref)
  const following = fallFrom(kin, falling, fallen)
  const turned = direct.map((memory) => ({ memory, why, back: false }))
  return {
    turned: [...turned, ...following.map(onGround)],
    flagged: flagsOf(kin, [...falling, ...following], fallen),
    cleared: [],
  }
}

/**
 * Memories that become distrusted by an erasure: conclusions left with distrusted sources alone.
 * `family` shows the memories after the erasure. Linear in the family.
 */
export function fallOfErased(family: readonly MemoryState[], erased: ReadonlySet<Ref>): Turning {
  const kin = new Kin(family)
  const fallen = new Set(family.filter(({ distrust }) => distrust !== null).map(({ ref }) => ref))
  const gone = family.filter(({ ref }) => erased.has(ref))
  const following = fallFrom(kin, gone, fallen)
  return { turned: following.map(onGround), flagged: flagsOf(kin, following, fallen), cleared: [] }
}

const onGround = (memory: MemoryState): Turned => ({ memory, why: 'ground', back: false })

/** Descendants that lost their last believed source; each is added to `fallen`. */
function fallFrom(
  kin: Kin,
  from: readonly MemoryState[],
  fallen: Set<Ref>,
): readonly MemoryState[] {
  const isFallen = ({ ref }: MemoryState): boolean => fallen.has(ref)
  const following: MemoryState[] = []
  const look = (each: MemoryState): void => {
    for (const child of kin.childrenOf(each.ref)) {
      if (fallen.has(child.ref) || !kin.restsOnNothing(child, isFallen)) continue
      fallen.add(child.ref)
      following.push(child)
    }
  }
  for (const each of from) look(each)
  for (const each of following) look(each) // the list grows while it is walked
  return following
}

/** Children that lost a source and keep their belief, once for each source. */
const flagsOf = (
  kin: Kin,
  falling: readonly MemoryState[],
  fallen: ReadonlySet<Ref>,
): Turning['flagged'] =>
  falling.flatMap(({ ref: by }) =>
    kin
      .childrenOf(by)
      .filter((child) => !fallen.has(child.ref) && !isFlaggedFor(child, by))
      .map(({ ref }) => ({ ref, by })),
  )

/** Memories that are believed again once one reason is gone, unless another reason remains. */
export function returnOf(
  family: readonly MemoryState[],
  lifted:
    | { readonly why: 'origin'; readonly of: number }
    | { readonly why: 'own'; readonly of: Ref },
): Turning {
  const kin = new Kin(family)
  const isLifted = ({ ref, distrust }: MemoryState): boolean =>
    distrust !== null &&
    (lifted.why === 'origin'
      ? distrust.origins.includes(lifted.of)
      : ref === lifted.of && distrust.own)
  const isDirect = (memory: MemoryState): boolean => {
    const { distrust } = memory
    if (distrust === null) return false
    const { origins, own } = distrust
    if (lifted.why === 'own') return origins.length > 0 || (own && !isLifted(memory))
    return own || origins.some((seq) => seq !== lifted.of)
  }
  const direct = family.filter(isLifted).sort(bySeq)
  const back = new Set<Ref>()
  const order = sourcesFirst(kin, direct)
  const isFallen = ({ ref, distrust }: MemoryState): boolean => distrust !== null && !back.has(ref)
  for (const memory of order) {
    if (memory.distrust === null || isDirect(memory)) continue
    if (!kin.restsOnNothing(memory, isFallen)) back.add(memory.ref)
  }
  const isTold = new Set(direct.map(({ ref }) => ref))
  const turned: readonly Turned[] = [
    ...direct.map((memory) => ({ memory, why: lifted.why, back: back.has(memory.ref) })),
    ...order
      .filter(({ ref }) => back.has(ref) && !isTold.has(ref))
      .map((memory) => ({ memory, why: 'ground' as const, back: true })),
  ]
  const byRef = new Map(family.map((memory) => [memory.ref, memory]))
  return {
    turned,
    flagged: order
      .filter(({ ref }) => back.has(ref))
      .flatMap((child) =>
        [...new Set(child.parents)]
          .flatMap((ref) => byRef.get(ref) ?? [])
          .filter((parent) => isFallen(parent) && !isFlaggedFor(child, parent.ref))
          .map(({ ref: by }) => ({ ref: child.ref, by })),
      ),
    cleared: order.flatMap((child) => {
      const of = child.flags
        .filter(({ code, by }) => code === SOURCE_DISTRUSTED && by !== null && back.has(by))
        .map(({ seq }) => seq)
      return of.length === 0 ? [] : [{ ref: child.ref, of }]
    }),
  }
}

/** The given memories and all descendants, each memory after its sources. */
function sourcesFirst(kin: Kin, from: readonly MemoryState[]): readonly MemoryState[] {
  const touched = new Map(from.map((memory) => [memory.ref, memory]))
  for (const { ref } of touched.values()) {
    for (const child of kin.childrenOf(ref))
      if (!touched.has(child.ref)) touched.set(child.ref, child)
  }
  const waitsFor = new Map<Ref, number>()
  for (const { ref, parents } of touched.values()) {
    waitsFor.set(ref, new Set(parents.filter((parent) => touched.has(parent))).size)
  }
  const order = [...touched.values()].filter(({ ref }) => waitsFor.get(ref) === 0).sort(bySeq)
  for (const { ref } of order) {
    for (const child of kin.childrenOf(ref)) {
      const left = (waitsFor.get(child.ref) ?? 1) - 1
      waitsFor.set(child.ref, left)
      if (left === 0) order.push(child) // looked at in its turn: the list grows while it is walked
    }
  }
  return order
}
